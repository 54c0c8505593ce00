import { mathStatics } from '../../painless/math-statics.ts'
import { numberStatics } from '../../painless/number-statics.ts'
import { bare, numberTypeOf } from '../../painless/typed-number.ts'
import { type Sql, sql, str } from '../sql.ts'
import { asDouble, castTyped, numberLiteral } from './numbers.ts'
import { printedText } from './texts.ts'
import { decimal, isNumber, present, type Typed, typedValue, Untranslatable } from './typed-sql.ts'

/** The greater of two doubles, or the lesser: no number beside one is none, and noughts of both signs are in order. */
function furthest(one: Sql, other: Sql, comparison: Sql, atNought: Sql): Sql {
  const none = sql`isNaN(${one}) OR isNaN(${other})`
  return sql`multiIf(${none}, nan, ${comparison}, ${one}, ${one} != 0 OR ${other} != 0, ${other}, ${atNought})`
}

/** What the engine calculates to the last bit as the interpreter does. */
const ofDoubles: Readonly<Record<string, readonly [count: number, apply: (one: Sql, other: Sql) => Sql]>> = {
  abs: [1, (one) => sql`abs(${one})`],
  floor: [1, (one) => sql`floor(${one})`],
  ceil: [1, (one) => sql`ceil(${one})`],
  sqrt: [1, (one) => sql`sqrt(${one})`],
  max: [2, (one, other) => furthest(one, other, sql`${one} > ${other}`, sql`(${one} + ${other})`)],
  min: [
    2,
    (one, other) => furthest(one, other, sql`${one} < ${other}`, sql`negate(negate(${one}) + negate(${other}))`),
  ],
  toRadians: [1, (one) => sql`(${one} * ${decimal(0.017453292519943295)})`],
  toDegrees: [1, (one) => sql`(${one} * ${decimal(57.29577951308232)})`],
}

const isMath = (type: string) => type === 'Math' || type === 'StrictMath'

/** The nearest whole number, halves upwards. */
function rounded(value: Typed): Typed {
  const one = asDouble(value)
  const made = sql`(floor(${one}) + if(${one} - floor(${one}) >= ${decimal(0.5)}, ${decimal(1)}, ${decimal(0)}))`
  return castTyped('long', typedValue('double', made, [value]))
}

/** The texts that the engine reads as Java does, and what it makes of them; of all others the interpreter knows. */
const parsers: Readonly<Record<string, readonly [type: 'int' | 'long' | 'double', plain: string]>> = {
  'Integer.parseInt': ['int', '^-?[0-9]{1,9}$'],
  'Long.parseLong': ['long', '^-?[0-9]{1,18}$'],
  'Double.parseDouble': ['double', '^-?[0-9]{1,9}([.][0-9]{1,6})?$'],
}

function parsedText(name: string, given: Typed): Typed {
  const [type, plain] = (Object.hasOwn(parsers, name) ? parsers[name] : undefined) ?? []
  if (type === undefined || plain === undefined) throw new Untranslatable('no such static method')
  const { sql: text, ...one } = present(given)
  const made = type === 'double' ? sql`toFloat64OrZero(${text})` : sql`toInt64OrZero(${text})`
  return typedValue(type, made, [one], { inexact: sql`(NOT match(${text}, ${str(plain)}))` })
}

/** What a static method gives. */
export function staticCall(type: string, method: string, args: readonly Typed[]): Typed {
  const known = ofConstants(type, method, args)
  if (known) return known
  const [first, second] = args
  if (type === 'String' && method === 'valueOf' && first && args.length === 1) return printedText(first)
  if (first?.type === 'String' && args.length === 1) return parsedText(`${type}.${method}`, first)
  if (!isMath(type) || !args.every(isNumber) || !first) throw new Untranslatable('no such static method')
  const one = present(first)
  if (method === 'round' && args.length === 1) return rounded(one)
  const [count, apply] = (Object.hasOwn(ofDoubles, method) ? ofDoubles[method] : undefined) ?? []
  if (!apply || args.length !== count) throw new Untranslatable('no such method of Math')
  const other = present(second ?? first)
  return typedValue('double', apply(asDouble(one), asDouble(other)), [one, other])
}

/** What the interpreter makes of constants; undefined where it has no such method or it fails. */
function ofConstants(type: string, method: string, args: readonly Typed[]): Typed | undefined {
  const table = isMath(type) ? mathStatics : Object.hasOwn(numberStatics, type) ? numberStatics[type] : undefined
  const call = table && Object.hasOwn(table, method) ? table[method] : undefined
  if (!call || method === 'random' || !args.every(({ constant, type }) => constant && type !== 'null')) return undefined
  try {
    const made: unknown = Reflect.apply(
      call,
      undefined,
      args.map(({ constant }) => constant?.value),
    )
    const found = numberTypeOf(made)
    return found === undefined ? undefined : numberLiteral(found, bare(made) as number | bigint, made)
  } catch {
    return undefined
  }
}
