import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { dateFormat, defaultDateFormat, timeZone } from '../dates/date-format.ts'
import { evaluateDateMath } from '../dates/date-math.ts'

/** Longest name of an index, in UTF-8 bytes. */
const indexNameBytesMax = 255

const forbiddenCharacters = /[ "*,/<>?\\|]/
const forbiddenShown = String.raw`[' ','"','*',',','/','<','>','?','\','|']`

function invalidName(name: string, reason: string): AppError {
  return new AppError(searchErrors.invalid_index_name_exception, `Invalid index name [${name}], ${reason}`, {
    detail: { index_uuid: '_na_', index: name },
  })
}

function nameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (forbiddenCharacters.test(name)) return `must not contain the following characters ${forbiddenShown}`
  if (name.includes('#')) return "must not contain '#'"
  if (name.includes(':')) return "must not contain ':'"
  if (/^[_+-]/.test(name)) return "must not start with '_', '-', or '+'"
  if (name !== name.toLowerCase()) return 'must be lowercase'
  const bytes = Buffer.byteLength(name)
  if (bytes > indexNameBytesMax) return `index name is too long, (${bytes} > ${indexNameBytesMax})`
  return name === '.' || name === '..' ? "must not be '.' or '..'" : undefined
}

/** Throws `invalid_index_name_exception` when an index or data stream may not be called so. */
export function checkIndexName(name: string): void {
  const fault = nameFault(name)
  if (fault !== undefined) throw invalidName(name, fault)
}

/** Throws `invalid_alias_name_exception` when an alias may not be called so. */
export function checkAliasName(name: string): void {
  const fault = nameFault(name)
  // Of all rules only this one does not hold for aliases.
  if (fault === undefined || fault === 'must be lowercase') return
  throw new AppError(searchErrors.invalid_alias_name_exception, `Invalid alias name [${name}]: ${fault}`)
}

/** The error of a name nothing is called by. */
export function noSuchIndex(name: string): AppError {
  const excluding = name.startsWith('-')
    ? ' and if you intended to exclude this index, ensure that you use wildcards that include it before explicitly excluding it'
    : ''
  return new AppError(searchErrors.index_not_found_exception, `no such index [${name}]${excluding}`, {
    detail: { 'resource.type': 'index_or_alias', 'resource.id': name, index_uuid: '_na_', index: name },
  })
}

/** Whether a name fits a pattern in which `*` stands for any characters. */
export function matchesPattern(pattern: string, name: string): boolean {
  return fitsStars(name, pattern)
}

/** Whether some name fits both patterns. Row by row over `a`, with the places of `b` that its beginning can end at. */
export function patternsOverlap(a: string, b: string): boolean {
  const skipsStars = (places: Set<number>): Set<number> => {
    for (const place of places) if (b[place] === '*') places.add(place + 1)
    return places
  }
  let reached = skipsStars(new Set([0]))
  for (const letter of a) {
    const next = new Set<number>()
    if (letter === '*') for (let place = Math.min(...reached); place <= b.length; place++) next.add(place)
    else
      for (const place of reached) {
        if (b[place] === '*') next.add(place)
        else if (b[place] === letter) next.add(place + 1)
      }
    reached = skipsStars(next)
    if (reached.size === 0) return false
  }
  return reached.has(b.length)
}

/**
 * Whether two patterns claim the same names: the shortest name of one fits the other, too. Two that have a name in common only where a star takes in
 * what the other pattern spells do not: `app-*-web-*` and `app-*-web_old-*` are told apart, although `app-x-web_old-web-1` fits both.
 */
export function patternsCollide(a: string, b: string): boolean {
  return matchesPattern(a, shortestName(b)) || matchesPattern(b, shortestName(a))
}

function shortestName(pattern: string): string {
  return pattern.replaceAll('*', '')
}

const defaultNameFormat = 'yyyy.MM.dd'

function invalidExpression(name: string, reason: string): AppError {
  return new AppError(searchErrors.parse_exception, `invalid dynamic name expression [${name}]. ${reason}`)
}

/** Evaluates what stands between the braces: `now/d{yyyy.MM|+01:00}`. */
function evaluatePlaceholder(placeholder: string, name: string, nowMs: number): string {
  const open = placeholder.indexOf('{')
  const math = open < 0 ? placeholder : placeholder.slice(0, open)
  if (open >= 0 && !placeholder.endsWith('}')) throw invalidExpression(name, 'missing closing `}` for date math format')
  if (open >= 0 && placeholder.length - open <= 2) throw invalidExpression(name, 'missing date format')
  const inside = open < 0 ? '' : placeholder.slice(open + 1, -1)
  const separator = inside.lastIndexOf('|')
  const format = open < 0 ? defaultNameFormat : separator < 0 ? inside : inside.slice(0, separator)
  const zone = timeZone(separator < 0 ? 'UTC' : inside.slice(separator + 1))
  const instant = evaluateDateMath(math, { format: dateFormat(defaultDateFormat), nowMs, zone })
  return dateFormat(format).print(instant, zone)
}

/** Reads one `{…}`, with braces of the format inside it; answers its end. */
function placeholderEnd(body: string, start: number, name: string): number {
  let depth = 0
  for (let at = start; at < body.length; at++) {
    if (body[at] === '{') depth++
    else if (body[at] === '}' && --depth === 0) return at
  }
  throw invalidExpression(name, 'date math placeholder is open ended')
}

/**
 * The name a date-math name stands for now: `<logs-{now/d}>` is `logs-2026.11.21`; other names are themselves. Throws `parse_exception`.
 */
export function evaluateIndexName(name: string, nowMs: number): string {
  if (!name.startsWith('<') || !name.endsWith('>')) return name
  const body = name.slice(1, -1)
  let result = ''
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at)
    if (char === '\\') {
      at++
      result += body.charAt(at)
    } else if (char === '{') {
      const end = placeholderEnd(body, at, name)
      result += evaluatePlaceholder(body.slice(at + 1, end), name, nowMs)
      at = end
    } else if (char === '}')
      throw invalidExpression(
        name,
        `invalid character at position [${at}]. \`{\` and \`}\` are reserved characters and should be escaped when used as part of the index name using \`\\\` (e.g. \`\\{text\\}\`)`,
      )
    else result += char
  }
  if (result === '') throw invalidExpression(name, 'nothing captured')
  return result
}
