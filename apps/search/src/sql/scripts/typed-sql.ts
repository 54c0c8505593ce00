import { join, num, type Sql, sql, str } from '../sql.ts'

/** Thrown while a script is translated, where it says what SQL does not say exactly: it is run over each document instead. */
export class Untranslatable extends Error {}

/** Letters that one expression of a script may take: statements name it several times. */
const lettersMax = 16 * 1024

/** Types that the values of translated scripts have; `date` is a moment of UTC in milliseconds. */
export type ScriptType = 'int' | 'long' | 'double' | 'boolean' | 'String' | 'date' | 'null'

/** A value of a script as SQL. No expression here is ever NULL, nor ends a statement: where a script fails, or a value is null, it is any value of its type. */
export interface Typed {
  readonly kind: 'value'
  readonly type: ScriptType
  /** `Int64` of whole numbers and dates, `Float64`, `Bool`, `String`. */
  readonly sql: Sql
  /** Where evaluating it throws. */
  readonly fault: Sql
  /** Where it is not what the script's own value would be: such documents are left to the interpreter. */
  readonly inexact: Sql
  readonly isNull: Sql
  /** Of a `long`: where it is one; elsewhere an `int` that came another way. Absent where it always is. */
  readonly wide?: Sql
  /** Of a `double`: some of its values are whole numbers, of types of their own. */
  readonly loose?: true
  /** Of a date: it has nanoseconds beyond its milliseconds. */
  readonly nanos?: true
  /** Bytes that a text has at most. */
  readonly bytesMax?: number
  /** What it is where that is the same for all documents, as the interpreter holds it. */
  readonly constant?: { readonly value: unknown }
}

/** Conditions that always and never hold; compared by identity. */
export const yes: Sql = sql`true`
export const no: Sql = sql`false`

/** The SQL as it is, unless it grew too large for a statement. */
export function bounded(made: Sql): Sql {
  if (made.text.length > lettersMax) throw new Untranslatable('too large')
  return made
}

/** What conditions that were put together are made of, so that none is said twice. */
const alternatives = new WeakMap<Sql, readonly Sql[]>()
const alternativesOf = (condition: Sql): readonly Sql[] => alternatives.get(condition) ?? [condition]

/** Where any holds. */
export function either(...conditions: readonly Sql[]): Sql {
  const open = new Map(
    conditions.flatMap(alternativesOf).flatMap((each) => (each === no ? [] : [[each.text, each] as const])),
  )
  if (open.has(yes.text)) return yes
  const [first = no, ...others] = open.values()
  if (others.length === 0) return first
  const made = bounded(sql`(${join([first, ...others], ' OR ')})`)
  alternatives.set(made, [first, ...others])
  return made
}

/** A condition without those of its alternatives that are among another's: where these are known not to hold. */
export function beyond(condition: Sql, known: Sql): Sql {
  const texts = new Set(alternativesOf(known).map(({ text }) => text))
  const left = alternativesOf(condition).filter(({ text }) => !texts.has(text))
  return left.length === alternativesOf(condition).length ? condition : either(...left)
}

/** Where both hold. */
export function both(one: Sql, other: Sql): Sql {
  if (one === no || other === no) return no
  if (one === yes || one === other) return other
  return other === yes ? one : bounded(sql`(${one} AND ${other})`)
}

/** Where it does not hold. */
export function not(condition: Sql): Sql {
  if (condition === yes) return no
  return condition === no ? yes : bounded(sql`(NOT ${condition})`)
}

/** One condition where the test holds, the other where it does not. */
export function chosen(test: Sql, then: Sql, otherwise: Sql): Sql {
  if (then === otherwise) return then
  if (then === no) return both(not(test), otherwise)
  if (otherwise === no) return both(test, then)
  if (then === yes) return either(test, otherwise)
  if (otherwise === yes) return either(not(test), then)
  return test === yes ? then : test === no ? otherwise : bounded(sql`if(${test}, ${then}, ${otherwise})`)
}

/** A value that is never null and fails where what it is made of does. */
export function typedValue(
  type: ScriptType,
  made: Sql,
  from: readonly Pick<Typed, 'fault' | 'inexact'>[] = [],
  more: Partial<
    Pick<Typed, 'fault' | 'inexact' | 'isNull' | 'wide' | 'nanos' | 'loose' | 'bytesMax' | 'constant'>
  > = {},
): Typed {
  const { fault = no, inexact = no, isNull = no, ...rest } = more
  return {
    kind: 'value',
    type,
    sql: bounded(made),
    fault: either(...from.map((each) => each.fault), fault),
    inexact: either(...from.map((each) => each.inexact), inexact),
    isNull,
    ...rest,
  }
}

/** The value of `null`. */
export const nullValue: Typed = typedValue('null', sql`toInt64(0)`, [], { isNull: yes, constant: { value: null } })

/** A whole number as a literal of 64 bits. */
export function whole(value: number | bigint): Sql {
  return sql`toInt64(${num(value)})`
}

/** A double as a literal. */
export function decimal(value: number): Sql {
  if (!Number.isFinite(value)) return num(value)
  return sql`toFloat64(${str(Object.is(value, -0) ? '-0' : String(value))})`
}

/** Texts that the engine may hold otherwise than the script: halves of surrogate pairs become this letter. */
const replacement = '\uFFFD'

/** A text of a script as a literal. */
export function textLiteral(value: string): Typed {
  if (/\p{Surrogate}/u.test(value) || value.includes(replacement)) throw new Untranslatable('halves of letters')
  return typedValue('String', str(value), [], { constant: { value }, bytesMax: Buffer.byteLength(value) })
}

/** Where two texts that both come from documents may be told apart by letters that the engine holds alike. */
export function unsureLetters(...texts: readonly Typed[]): Sql {
  if (texts.some(({ constant }) => constant)) return no
  return either(...texts.map((text) => sql`(position(${text.sql}, ${str(replacement)}) > 0)`))
}

/** Where a text has letters beyond ASCII, which Java counts otherwise than the engine. */
export function beyondAscii({ sql: text, constant }: Typed): Sql {
  if (constant) return /^[\0-\x7f]*$/u.test(String(constant.value)) ? no : yes
  return sql`(NOT isValidASCII(${text}))`
}

const isWhole = (type: ScriptType) => type === 'int' || type === 'long'

/** Whether a value is a number. */
export function isNumber({ type }: Typed): boolean {
  return isWhole(type) || type === 'double'
}

/** Where a number is a `long`. */
export function wideOf({ type, wide = yes }: Typed): Sql {
  return type === 'int' ? no : wide
}

/** Doubles hold all whole numbers up to this one. */
const exactMax = 2 ** 53

/** A number as a double; where it has none that is the same, that is told by `inexact`. */
function loosened(value: Typed): Typed {
  if (value.type === 'double') return { ...value, loose: true }
  const large = value.type === 'int' ? no : sql`(abs(toFloat64(${value.sql})) >= ${decimal(exactMax)})`
  const { constant: _, wide: _wide, ...rest } = value
  return {
    ...rest,
    type: 'double',
    sql: sql`toFloat64(${value.sql})`,
    inexact: either(value.inexact, large),
    loose: true,
  }
}

/** One value where the test holds, another where it does not, without the faults and doubts of either. */
export function mergedValue(test: Sql, one: Typed, other: Typed): Typed {
  if (one === other) return one
  const [then, otherwise] = alike(one, other)
  const isNull = chosen(test, then.isNull, otherwise.isNull)
  const inexact = chosen(test, then.inexact, otherwise.inexact)
  const made = then.sql.text === otherwise.sql.text ? then.sql : sql`if(${test}, ${then.sql}, ${otherwise.sql})`
  const wide = then.type === 'long' ? chosen(test, wideOf(then), wideOf(otherwise)) : yes
  const bytesMax = Math.max(then.bytesMax ?? 0, otherwise.bytesMax ?? 0)
  return typedValue(then.type, made, [], {
    isNull,
    inexact,
    ...(wide === yes ? {} : { wide }),
    ...(then.loose || otherwise.loose ? { loose: true } : {}),
    ...(then.nanos || otherwise.nanos ? { nanos: true } : {}),
    ...(then.type === 'String' ? { bytesMax } : {}),
  })
}

/** Two values as values of one type; each keeps what tells of it. */
function alike(one: Typed, other: Typed): readonly [Typed, Typed] {
  if (one.type === 'null') return [{ ...other, isNull: yes }, other]
  if (other.type === 'null') return [one, { ...one, isNull: yes, inexact: no }]
  if (isWhole(one.type) && isWhole(other.type) && one.type !== other.type) return [widened(one), widened(other)]
  if (one.type === other.type) return [one, other]
  if (isNumber(one) && isNumber(other)) return [loosened(one), loosened(other)]
  throw new Untranslatable('values of two types')
}

/** An `int` as a `long` that remembers being none. */
function widened(value: Typed): Typed {
  return value.type === 'int' ? { ...value, type: 'long', wide: no } : value
}

/** A value that fails where it is null. */
export function present(value: Typed): Typed {
  return value.isNull === no ? value : { ...value, fault: either(value.fault, value.isNull), isNull: no }
}
