import { illegalArgument } from '../refusals/refuse.ts'

/** A number as a pattern of Java's DecimalFormat shows it: `#,##0.00`, `0.0%`, text before and after, in quotes where it has signs of its own. */
export function formatNumber(pattern: string, value: number): string {
  const [positive = '', negative] = splitPattern(pattern)
  const parts = partsOf(positive, pattern)
  const shown = digits(Math.abs(value) * (parts.percent ? 100 : 1), parts)
  if (value >= 0 || Number.isNaN(value)) return parts.prefix + shown + parts.suffix
  if (negative === undefined) return `-${parts.prefix}${shown}${parts.suffix}`
  const below = partsOf(negative, pattern)
  return below.prefix + shown + below.suffix
}

interface Parts {
  readonly prefix: string
  readonly suffix: string
  readonly percent: boolean
  readonly integersMin: number
  readonly fractionsMin: number
  readonly fractionsMax: number
  /** Digits between commas; 0 is none. */
  readonly group: number
}

/** Quoted text stands for itself. */
const piece = /'(?:[^']|'')*'|[^']/gu

function splitPattern(pattern: string): string[] {
  const sides = ['']
  for (const [each] of pattern.matchAll(piece)) {
    if (each === ';') sides.push('')
    else sides.push((sides.pop() ?? '') + each)
  }
  return sides
}

function partsOf(side: string, whole: string): Parts {
  let prefix = ''
  let number = ''
  let suffix = ''
  for (const [each] of side.matchAll(piece)) {
    const plain = each.length > 1 ? each.slice(1, -1).replaceAll("''", "'") : each === "''" ? "'" : each
    if (each.length === 1 && '#0,.'.includes(each) && suffix === '') number += each
    else if (number === '') prefix += plain
    else suffix += plain
  }
  const [integers = '', fractions = '', more] = number.split('.')
  if (number === '' || more !== undefined || /0.*#/u.test(integers.replaceAll(',', '')) || /#.*0/u.test(fractions))
    throw illegalArgument(`Invalid format: [${whole}]: Malformed pattern "${whole}"`)
  const comma = integers.lastIndexOf(',')
  return {
    prefix,
    suffix,
    percent: prefix.includes('%') || suffix.includes('%'),
    integersMin: integers.replace(/[^0]/gu, '').length,
    fractionsMin: fractions.replace(/[^0]/gu, '').length,
    fractionsMax: fractions.length,
    group: comma < 0 ? 0 : integers.length - comma - 1,
  }
}

function digits(value: number, parts: Parts): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return '∞'
  const [integers = '0', fractions = ''] = roundedHalfEven(value, parts.fractionsMax).split('.')
  const kept = fractions.replace(/0+$/u, '').padEnd(parts.fractionsMin, '0')
  const padded = (integers === '0' && parts.integersMin === 0 && kept !== '' ? '' : integers).padStart(
    parts.integersMin,
    '0',
  )
  const grouped = parts.group > 0 ? inGroups(padded, parts.group) : padded
  return kept === '' ? grouped : `${grouped}.${kept}`
}

/** Digits with a comma before every `size` of them, counted from the right. */
function inGroups(text: string, size: number): string {
  const groups: string[] = []
  for (let end = text.length; end > 0; end -= size) groups.unshift(text.slice(Math.max(0, end - size), end))
  return groups.join(',')
}

/** As Java rounds: what lies in the middle goes to the even neighbour. */
function roundedHalfEven(value: number, places: number): string {
  const shown = value.toFixed(Math.min(places, 100))
  const [integers = '', fractions = ''] = String(value).includes('e') ? [''] : String(value).split('.')
  if (fractions.length !== places + 1 || !fractions.endsWith('5')) return shown
  const cut = integers + fractions.slice(0, places)
  const even = BigInt(cut) % 2n === 0n ? BigInt(cut) : BigInt(cut) + 1n
  const text = String(even).padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}
