import { num, type Sql, sql, str } from '../sql.ts'
import { equalValues } from './numbers.ts'
import {
  beyondAscii,
  both,
  bounded,
  decimal,
  either,
  no,
  present,
  type Typed,
  textLiteral,
  typedValue,
  Untranslatable,
  unsureLetters,
  whole,
  yes,
} from './typed-sql.ts'

/** Letters of a text that scripts make, beyond which they would meet a limit that SQL has not. */
const madeBytesMax = 256 * 1024

/** Bytes that a keyword has at most. */
export const keywordBytesMax = 32_766

function limitedText(made: Sql, bytesMax: number, from: readonly Typed[], inexact: Sql = no, fault: Sql = no): Typed {
  if (bytesMax > madeBytesMax) throw new Untranslatable('texts that may be too long')
  return typedValue('String', made, from, { bytesMax, inexact, fault })
}

/** Java prints doubles of these sizes plainly, others with a power of ten. */
const plainMin = 1e-3
const plainMax = 1e7
const numberBytesMax = 32

/** A value as Java prints it. */
export function printedText(value: Typed): Typed {
  const { sql: made, type, isNull, loose } = value
  if (type === 'null') return typedValue('String', str('null'), [value], { bytesMax: 4 })
  const [text, inexact] = ((): readonly [Sql, Sql] => {
    if (type === 'String') return [made, no]
    if (type === 'int' || type === 'long') return [sql`toString(${made})`, no]
    if (type === 'boolean') return [sql`if(${made}, 'true', 'false')`, no]
    if (type !== 'double' || loose) throw new Untranslatable('no text')
    const size = sql`abs(${made})`
    const plain = sql`((${size} >= ${decimal(plainMin)} AND ${size} < ${decimal(plainMax)}) OR ${made} = 0)`
    const text = sql`toString(${made})`
    return [sql`if(floor(${made}) = ${made}, concat(${text}, '.0'), ${text})`, sql`(NOT ${plain})`]
  })()
  const bytesMax = type === 'String' ? (value.bytesMax ?? madeBytesMax) : numberBytesMax
  return limitedText(isNull === no ? text : sql`if(${isNull}, 'null', ${text})`, bytesMax, [value], inexact)
}

/** Where a value is no text: a null is none, whatever it might have been. */
const noText = ({ type, isNull }: Typed): Sql => (type === 'String' ? isNull : yes)

/** `+` where a side is a text; where neither is one in the end, as of two nulls, there is no such operation. */
export function joinedTexts(left: Typed, right: Typed): Typed {
  const [one, other] = [printedText(left), printedText(right)]
  const made = sql`concat(${one.sql}, ${other.sql})`
  const fault = both(noText(left), noText(right))
  return limitedText(made, (one.bytesMax ?? 0) + (other.bytesMax ?? 0), [one, other], no, fault)
}

function textArgument(given: Typed | undefined): Typed {
  if (given?.type !== 'String') throw new Untranslatable('no text')
  return present(given)
}

/** A part to look for: the empty one is found otherwise by the engine. */
function partArgument(given: Typed | undefined): Typed {
  const part = textArgument(given)
  if (part.constant?.value === '') throw new Untranslatable('an empty part')
  return part
}

function constantPart(given: Typed | undefined): string {
  const part = partArgument(given).constant?.value
  if (typeof part !== 'string') throw new Untranslatable('a part that differs')
  return part
}

function placeArgument(given: Typed | undefined): Typed {
  // A null counts as nought where the interpreter takes a place.
  if (given === undefined || !(given.type === 'int' || given.type === 'long') || given.isNull !== no)
    throw new Untranslatable('no place')
  return given
}

type TextMethod = (text: Typed, args: readonly Typed[]) => Typed

const bytesOf = ({ bytesMax = madeBytesMax }: Typed): number => bytesMax

function searched(text: Typed, given: Typed | undefined, find: (text: Sql, part: Sql) => Sql): Typed {
  const part = textArgument(given)
  return typedValue('boolean', find(text.sql, part.sql), [text, part], { inexact: unsureLetters(text, part) })
}

function substring(text: Typed, [first, last]: readonly Typed[]): Typed {
  const from = placeArgument(first)
  const to = last === undefined ? typedValue('int', sql`toInt64(length(${text.sql}))`) : placeArgument(last)
  const size = sql`toInt64(length(${text.sql}))`
  const fault = sql`(NOT (${from.sql} >= 0 AND ${from.sql} <= ${to.sql} AND ${to.sql} <= ${size}))`
  const start = sql`(greatest(least(${from.sql}, ${size}), toInt64(0)) + 1)`
  const length = sql`greatest(least(${to.sql}, ${size}) - ${from.sql}, toInt64(0))`
  const made = sql`substring(${text.sql}, ${start}, ${length})`
  return limitedText(
    made,
    bytesOf(text),
    [text, from, to],
    beyondAscii(text),
    both(fault, sql`isValidASCII(${text.sql})`),
  )
}

function place(text: Typed, [given, from]: readonly Typed[], isLast: boolean): Typed {
  if (from !== undefined) throw new Untranslatable('a place to look from')
  const part = partArgument(given)
  // Of a part that is empty in some documents only the interpreter knows.
  const empty = part.constant ? no : sql`empty(${part.sql})`
  const size = (value: Sql): Sql => sql`toInt64(length(${value}))`
  const at = (one: Sql, other: Sql): Sql => sql`toInt64(position(${one}, ${other}))`
  const turned = at(sql`reverse(${text.sql})`, sql`reverse(${part.sql})`)
  const made = isLast
    ? sql`if(${turned} = 0, toInt64(-1), ${size(text.sql)} - ${turned} + 1 - ${size(part.sql)})`
    : sql`(${at(text.sql, part.sql)} - 1)`
  const inexact = either(beyondAscii(text), beyondAscii(part), empty)
  return typedValue('int', made, [text, part], { inexact })
}

function replaced(text: Typed, [part, given]: readonly Typed[]): Typed {
  const from = constantPart(part)
  const to = textArgument(given).constant?.value
  if (typeof to !== 'string') throw new Untranslatable('a text that differs')
  const growth = Math.max(1, Math.ceil(Buffer.byteLength(to) / Buffer.byteLength(from)))
  return limitedText(sql`replaceAll(${text.sql}, ${str(from)}, ${str(to)})`, bytesOf(text) * growth, [text])
}

const blanks = '^[\\x00-\\x20]+|[\\x00-\\x20]+$'

type CountedMethod = readonly [argumentsMin: number, argumentsMax: number, TextMethod]

const methods: Readonly<Record<string, CountedMethod>> = {
  // Java counts units of 16 bits: as many as letters, and one more for those beyond the first plane.
  length: [
    0,
    0,
    (text) => typedValue('int', sql`toInt64(length(${text.sql}))`, [text], { inexact: beyondAscii(text) }),
  ],
  isEmpty: [0, 0, (text) => typedValue('boolean', sql`empty(${text.sql})`, [text])],
  contains: [1, 1, (text, [part]) => searched(text, part, (one, other) => sql`(position(${one}, ${other}) > 0)`)],
  startsWith: [1, 1, (text, [part]) => searched(text, part, (one, other) => sql`startsWith(${one}, ${other})`)],
  endsWith: [1, 1, (text, [part]) => searched(text, part, (one, other) => sql`endsWith(${one}, ${other})`)],
  equals: [1, 1, (text, [other]) => equalTexts(text, other)],
  equalsIgnoreCase: [1, 1, (text, [other]) => equalTexts(lowered(text), other && lowered(textOrRefuse(other)))],
  indexOf: [1, 1, (text, args) => place(text, args, false)],
  lastIndexOf: [1, 1, (text, args) => place(text, args, true)],
  substring: [1, 2, substring],
  replace: [2, 2, replaced],
  concat: [1, 1, (text, [other]) => joinedTexts(text, textArgument(other))],
  toLowerCase: [0, 0, (text) => lowered(text)],
  toUpperCase: [0, 0, (text) => limitedText(sql`upper(${text.sql})`, bytesOf(text), [text], beyondAscii(text))],
  trim: [0, 0, (text) => limitedText(sql`replaceRegexpAll(${text.sql}, ${str(blanks)}, '')`, bytesOf(text), [text])],
}

function textOrRefuse(value: Typed): Typed {
  if (value.type !== 'String') throw new Untranslatable('no text')
  return value
}

/** Beyond ASCII small letters are not the engine's business. */
function lowered(text: Typed): Typed {
  const known = text.constant?.value
  if (typeof known === 'string' && beyondAscii(text) === no) return textLiteral(known.toLowerCase())
  const made = limitedText(sql`lower(${text.sql})`, bytesOf(text), [text], beyondAscii(text))
  return { ...made, isNull: text.isNull }
}

/** `equals`: of null it is false. */
function equalTexts(text: Typed, other: Typed | undefined): Typed {
  if (other?.type === 'null') return typedValue('boolean', no, [text, other])
  if (other?.type !== 'String') throw new Untranslatable('no text')
  return equalValues(text, other)
}

/** What a method of a text gives. */
export function textMethod(target: Typed, name: string, args: readonly Typed[]): Typed {
  if (name === 'toString' && args.length === 0) return present(target)
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!found) throw new Untranslatable('no such method of texts')
  const [least, most, apply] = found
  if (args.length < least || args.length > most) throw new Untranslatable('other arguments')
  return apply(present(target), args)
}

/** The pieces of a text between the places of a part. */
export interface Pieces {
  readonly kind: 'pieces'
  readonly text: Typed
  /** `Array(String)`. */
  readonly sql: Sql
}

/** `splitOnToken` with a part that is the same for all documents. */
export function splitText(target: Typed, args: readonly Typed[]): Pieces {
  if (args.length !== 1) throw new Untranslatable('other arguments')
  const text = present(target)
  return { kind: 'pieces', text, sql: bounded(sql`splitByString(${str(constantPart(args[0]))}, ${text.sql})`) }
}

/** How many pieces there are. */
export function piecesCount({ text, sql: pieces }: Pieces): Typed {
  return typedValue('int', sql`toInt64(length(${pieces}))`, [text])
}

/** One of the pieces; a negative place counts from their end. */
export function pieceAt({ text, sql: pieces }: Pieces, given: Typed): Typed {
  if (given.type !== 'int') throw new Untranslatable('no place')
  const place = placeArgument(given)
  const count = sql`toInt64(length(${pieces}))`
  const fault = sql`(${place.sql} >= ${count} OR ${place.sql} < negate(${count}))`
  const held = place.constant ? Number(place.constant.value) : undefined
  const at =
    held === undefined ? sql`if(${place.sql} < 0, ${place.sql}, ${place.sql} + 1)` : whole(held < 0 ? held : held + 1)
  const made = sql`arrayElement(${pieces}, if(${fault}, toInt64(1), ${at}))`
  // The first piece is always there.
  if (held === 0) return limitedText(sql`arrayElement(${pieces}, ${num(1)})`, bytesOf(text), [text, place])
  return limitedText(made, bytesOf(text), [text, place], no, fault)
}
