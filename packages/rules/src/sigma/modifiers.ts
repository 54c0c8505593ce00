import { meantHint } from '@logstack/spelling'
import { RE2JS } from 're2js'
import { cidrBounds, parseIp } from '../ip.ts'
import { allOf, anyOf, type Detection, type Match, SigmaProblem, type TimePart } from './detection.ts'
import { literalPieces, type TextPiece, textPieces, widened } from './text.ts'

/** A single value of a rule. */
export type Scalar = string | number | boolean | null

/** Lists of words that stand for `%name%` in values with the modifier `expand`. */
export type Placeholders = ReadonlyMap<string, readonly string[]>

const comparisons = ['lt', 'lte', 'gt', 'gte'] as const
const timeParts: readonly string[] = ['minute', 'hour', 'day', 'week', 'month', 'year']
const encodings = ['utf16le', 'wide', 'utf16be', 'utf16']
const dashes = ['-', '/', '–', '—', '―']
const known = new Set([
  ...[
    'all',
    'contains',
    'startswith',
    'endswith',
    're',
    'i',
    'm',
    's',
    'cidr',
    'exists',
    'cased',
    'fieldref',
    'expand',
  ],
  ...['base64', 'base64offset', 'windash', 'neq'],
  ...encodings,
  ...comparisons,
  ...timeParts,
])
const regexpCharactersMax = 2000

interface Value {
  readonly pieces: readonly TextPiece[]
}

/**
 * The detection of one item, `field|modifier…: value or values`. Without a field the values are looked for anywhere in the event. Throws
 * `SigmaProblem` for a modifier it does not know or that does not go with the value.
 */
export function itemDetection(
  key: string,
  values: readonly Scalar[],
  path: readonly PropertyKey[],
  placeholders: Placeholders,
): Detection {
  const [name = '', ...modifiers] = key.split('|')
  const field = name === '' ? undefined : name
  const strange = modifiers.find((modifier) => !known.has(modifier))
  if (strange !== undefined) throw new SigmaProblem(path, `unknown modifier [${strange}]${meantHint(strange, known)}`)
  const item: Item = { field, modifiers: new Set(modifiers), order: modifiers, path }
  if (values.length === 0) throw new SigmaProblem(path, 'expected a value')
  const expanded = item.modifiers.has('expand') ? values.flatMap((value) => expand(value, item, placeholders)) : values
  const members = expanded.map((value) => valueDetection(item, value))
  const joined = item.modifiers.has('all') ? allOf(members) : anyOf(members)
  return item.modifiers.has('neq') ? { op: 'not', of: joined } : joined
}

interface Item {
  readonly field: string | undefined
  readonly modifiers: ReadonlySet<string>
  readonly order: readonly string[]
  readonly path: readonly PropertyKey[]
}

function valueDetection(item: Item, value: Scalar): Detection {
  const { field, modifiers, path } = item
  const needField = (what: string): string => {
    if (field === undefined) throw new SigmaProblem(path, `${what} needs a field`)
    return field
  }
  const match = (found: Match): Detection => ({ op: 'match', match: found })
  if (modifiers.has('exists')) {
    const present = match({ kind: 'exists', field: needField('exists') })
    if (typeof value !== 'boolean') throw new SigmaProblem(path, 'exists takes true or false')
    return value ? present : { op: 'not', of: present }
  }
  if (value === null) return { op: 'not', of: match({ kind: 'exists', field: needField('null') }) }
  if (modifiers.has('re')) return match(regexpMatch(item, value))
  if (modifiers.has('cidr')) return match(cidrMatch(needField('cidr'), value, path))
  const comparison = comparisons.find((operator) => modifiers.has(operator))
  if (comparison) {
    const number = Number(value)
    if (value === '' || Number.isNaN(number)) throw new SigmaProblem(path, `${comparison} takes a number`)
    return match({ kind: 'compare', field: needField(comparison), operator: comparison, value: number })
  }
  const part = timeParts.find((each) => modifiers.has(each))
  if (part) return match({ kind: 'time', field: needField(part), part: part as TimePart, value: Number(value) })
  if (modifiers.has('fieldref')) {
    if (typeof value !== 'string') throw new SigmaProblem(path, 'fieldref takes the name of a field')
    const relation = (['contains', 'startswith', 'endswith'] as const).find((each) => modifiers.has(each)) ?? 'equals'
    return match({
      kind: 'fieldref',
      field: needField('fieldref'),
      other: value,
      relation,
      cased: modifiers.has('cased'),
    })
  }
  return textDetection(item, value)
}

function textDetection({ field, modifiers, order, path }: Item, value: string | number | boolean): Detection {
  let values: readonly Value[] = [
    { pieces: typeof value === 'string' ? textPieces(value) : literalPieces(String(value)) },
  ]
  let isEncoded = false
  let bytes: Buffer | undefined
  for (const modifier of order) {
    if (modifier === 'windash')
      values = values.flatMap(({ pieces }) => windashed(pieces).map((each) => ({ pieces: each })))
    else if (encodings.includes(modifier)) bytes = utf16(literalOf(values, modifier, path), modifier)
    else if (modifier === 'base64' || modifier === 'base64offset') {
      const source = bytes ?? Buffer.from(literalOf(values, modifier, path), 'utf8')
      const texts = modifier === 'base64' ? [source.toString('base64')] : base64Offsets(source)
      values = texts.map((text) => ({ pieces: literalPieces(text) }))
      isEncoded = true
      bytes = undefined
    } else if (modifier === 'contains') values = values.map(({ pieces }) => ({ pieces: widened(pieces, 'both') }))
    else if (modifier === 'startswith') values = values.map(({ pieces }) => ({ pieces: widened(pieces, 'end') }))
    else if (modifier === 'endswith') values = values.map(({ pieces }) => ({ pieces: widened(pieces, 'start') }))
  }
  if (bytes) throw new SigmaProblem(path, 'utf16 and wide need base64 or base64offset after them')
  const cased = modifiers.has('cased') || isEncoded
  return anyOf(
    values.map(({ pieces }) => {
      const whole = field === undefined ? widened(pieces, 'both') : pieces
      return { op: 'match', match: { kind: 'text', field, pieces: inCase(whole, cased), cased } }
    }),
  )
}

function inCase(pieces: readonly TextPiece[], cased: boolean): readonly TextPiece[] {
  return cased ? pieces : pieces.map((piece) => (typeof piece === 'string' ? piece.toLowerCase() : piece))
}

function literalOf([value]: readonly Value[], modifier: string, path: readonly PropertyKey[]): string {
  const pieces = value?.pieces ?? []
  if (pieces.some((piece) => typeof piece !== 'string'))
    throw new SigmaProblem(path, `${modifier} takes a text without wildcards`)
  return pieces.join('')
}

function utf16(text: string, encoding: string): Buffer {
  const little = Buffer.from(text, 'utf16le')
  if (encoding === 'utf16') return Buffer.concat([Buffer.from([0xff, 0xfe]), little])
  return encoding === 'utf16be' ? little.swap16() : little
}

// A text's encoding depends on where in the encoded whole it begins; what is the same for each of the three beginnings is kept.
function base64Offsets(source: Buffer): string[] {
  const startAt = [0, 2, 3]
  const endBefore = [0, 3, 2]
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset, 0x20), source]).toString('base64')
    const cut = endBefore[(source.length + offset) % 3] ?? 0
    return encoded.slice(startAt[offset], cut === 0 ? undefined : -cut)
  })
}

// Each dash that begins a word may be any of the five.
function windashed(pieces: readonly TextPiece[]): TextPiece[][] {
  let found: TextPiece[][] = [[]]
  for (const [at, piece] of pieces.entries()) {
    const variants =
      typeof piece === 'string' ? dashVariants(piece, at > 0 && typeof pieces[at - 1] === 'string') : [piece]
    found = found.flatMap((before) => variants.map((variant) => [...before, variant]))
  }
  return found
}

function dashVariants(text: string, isInside: boolean): string[] {
  const parts = text.split(/(?<![\w])[-/–—―](?=\w)/u)
  if (parts.length === 1 || parts.length > 5 || isInside) return [text]
  const [first = '', ...rest] = parts
  return rest.reduce<string[]>(
    (before, part) => before.flatMap((each) => dashes.map((dash) => each + dash + part)),
    [first],
  )
}

function regexpMatch({ field, modifiers, path }: Item, value: Scalar): Match {
  const source = String(value)
  const flags = ['i', 'm', 's'].filter((flag) => modifiers.has(flag)).join('')
  if (source.length > regexpCharactersMax)
    throw new SigmaProblem(path, `the regular expression is longer than ${regexpCharactersMax} characters`)
  try {
    compileRegexp(source, flags)
  } catch (thrown) {
    throw new SigmaProblem(
      path,
      `this regular expression cannot be run in bounded time: ${thrown instanceof Error ? thrown.message : 'unreadable'}`,
    )
  }
  return { kind: 're', field, source, flags }
}

/** A regular expression that takes time in proportion to the text; throws for syntax RE2 does not know. */
export function compileRegexp(source: string, flags: string): RE2JS {
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0)
  return RE2JS.compile(source, bits)
}

function cidrMatch(field: string, value: Scalar, path: readonly PropertyKey[]): Match {
  const bounds =
    typeof value === 'string'
      ? cidrBounds(value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`)
      : undefined
  const [first, last] = [bounds && parseIp(bounds.first), bounds && parseIp(bounds.last)]
  if (first === undefined || last === undefined) throw new SigmaProblem(path, `[${value}] is no block of addresses`)
  return { kind: 'cidr', field, first, last }
}

// `%name%` is replaced by each word of the list of that name.
function expand(value: Scalar, item: Item, placeholders: Placeholders): Scalar[] {
  if (typeof value !== 'string') return [value]
  const name = /(?<!\\)%([\w.-]+)%/u.exec(value)?.[1]
  if (name === undefined) return [value]
  const words = placeholders.get(name)
  if (!words) throw new SigmaProblem(item.path, `the placeholder %${name}% has no words in placeholders.yml`)
  return words.flatMap((word) =>
    expand(
      value.replace(`%${name}%`, () => word),
      item,
      placeholders,
    ),
  )
}
