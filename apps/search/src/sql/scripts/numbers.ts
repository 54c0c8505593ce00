import { type Sql, sql } from '../sql.ts'
import {
  beyond,
  both,
  chosen,
  decimal,
  either,
  isNumber,
  mergedValue,
  no,
  not,
  present,
  type Typed,
  typedValue,
  Untranslatable,
  unsureLetters,
  whole,
  wideOf,
  yes,
} from './typed-sql.ts'

/** A number as a double. */
export function asDouble(value: Typed): Sql {
  return value.type === 'double' ? value.sql : sql`toFloat64(${value.sql})`
}

/** A whole number as one of 32 bits: its upper bits are lost. */
const narrowed = (made: Sql): Sql => sql`toInt64(toInt32(${made}))`

const constantOf = ({ constant }: Typed): number | undefined => (constant ? Number(constant.value) : undefined)

/** What the engine divides by: never nought, nor -1, of which the least number has no quotient. */
const divisor = (by: Sql): Sql => sql`if(${by} IN (0, -1), toInt64(1), ${by})`

/** Whole operators over 64 bits. */
const onWholes: Readonly<Record<string, (one: Typed, other: Typed) => Sql>> = {
  '+': (one, other) => sql`(${one.sql} + ${other.sql})`,
  '-': (one, other) => sql`(${one.sql} - ${other.sql})`,
  '*': (one, other) => sql`(${one.sql} * ${other.sql})`,
  '/': (one, other) => {
    const by = constantOf(other)
    if (by === -1) return sql`negate(${one.sql})`
    if (by !== undefined && by !== 0) return sql`intDiv(${one.sql}, ${other.sql})`
    return sql`if(${other.sql} = -1, negate(${one.sql}), intDiv(${one.sql}, ${divisor(other.sql)}))`
  },
  '%': (one, other) => {
    const by = constantOf(other)
    if (by !== undefined && by !== 0 && by !== -1) return sql`modulo(${one.sql}, ${other.sql})`
    return sql`if(${other.sql} = -1, toInt64(0), modulo(${one.sql}, ${divisor(other.sql)}))`
  },
}

/** The remainder of doubles is left out: the engine's is not the exact one. */
const onDecimals: Readonly<Record<string, (one: Sql, other: Sql) => Sql>> = {
  '+': (one, other) => sql`(${one} + ${other})`,
  '-': (one, other) => sql`(${one} - ${other})`,
  '*': (one, other) => sql`(${one} * ${other})`,
  '/': (one, other) => sql`(${one} / ${other})`,
}

/** `+`, `-`, `*`, `/` and `%` of numbers as Java calculates them. */
export function calculated(operator: string, left: Typed, right: Typed): Typed {
  if (!(isNumber(left) && isNumber(right))) throw new Untranslatable('no numbers')
  const [one, other] = [present(left), present(right)]
  if (one.type === 'double' || other.type === 'double') {
    // A number that may be of another type counts as a double beside one that certainly is.
    const certain = [one, other].some(({ type, loose }) => type === 'double' && !loose)
    const apply = onDecimals[operator]
    if (!(certain && apply)) throw new Untranslatable('no exact operator of doubles')
    return typedValue('double', apply(asDouble(one), asDouble(other)), [one, other])
  }
  const apply = onWholes[operator]
  if (!apply) throw new Untranslatable('no such operator')
  const made = apply(one, other)
  const wide = either(wideOf(one), wideOf(other))
  const divides = operator === '/' || operator === '%'
  const by = constantOf(other)
  const fault = !divides ? no : by === undefined ? sql`(${other.sql} = 0)` : by === 0 ? yes : no
  if (wide === yes) return typedValue('long', made, [one, other], { fault })
  if (wide === no) return typedValue('int', narrowed(made), [one, other], { fault })
  return typedValue('long', sql`if(${wide}, ${made}, ${narrowed(made)})`, [one, other], { fault, wide })
}

/** `-` and `+` before a number. */
export function signed(operator: string, operand: Typed): Typed {
  if (!isNumber(operand) || operand.loose) throw new Untranslatable('no plain number')
  const one = present(operand)
  if (operator === '+') return one
  if (operator !== '-') throw new Untranslatable('no such operator')
  if (one.type === 'double') return typedValue('double', sql`negate(${one.sql})`, [one])
  return calculated('-', typedValue('int', whole(0)), one)
}

const comparisons: Readonly<Record<string, (one: Sql, other: Sql) => Sql>> = {
  '<': (one, other) => sql`(${one} < ${other})`,
  '<=': (one, other) => sql`(${one} <= ${other})`,
  '>': (one, other) => sql`(${one} > ${other})`,
  '>=': (one, other) => sql`(${one} >= ${other})`,
}

/** `<` and the like; undefined for other operators. */
export function compared(operator: string, left: Typed, right: Typed): Typed | undefined {
  const compare = comparisons[operator]
  if (!compare) return undefined
  if (!(isNumber(left) && isNumber(right))) throw new Untranslatable('no numbers')
  const [one, other] = [present(left), present(right)]
  return typedValue('boolean', compare(one.sql, other.sql), [one, other])
}

const equalTypes = new Set(['boolean', 'String'])

/** `==` of two values, which may be null. */
export function equalValues(left: Typed, right: Typed): Typed {
  const nulls = both(left.isNull, right.isNull)
  const anyNull = either(left.isNull, right.isNull)
  if (left.type === 'null' || right.type === 'null') return typedValue('boolean', nulls, [left, right])
  const numbers = isNumber(left) && isNumber(right)
  const alike = left.type === right.type && equalTypes.has(left.type)
  if (!(numbers || alike) || left.nanos || right.nanos) throw new Untranslatable('values of two types')
  const same = sql`(${left.sql} = ${right.sql})`
  const inexact = left.type === 'String' ? unsureLetters(left, right) : no
  return typedValue('boolean', chosen(anyNull, nulls, same), [left, right], { inexact })
}

/** The other truth of a boolean. */
export function negation(operand: Typed): Typed {
  const one = condition(operand)
  return typedValue('boolean', not(one.sql), [one])
}

/** A value that a test asks for: null is a fault. */
export function condition(value: Typed): Typed {
  if (value.type !== 'boolean') throw new Untranslatable('no boolean')
  return present(value)
}

/** `&&` and `||`: the right side counts where it is asked for. */
export function joinedConditions(operator: string, left: Typed, right: Typed): Typed {
  const [one, other] = [condition(left), condition(right)]
  const asked = operator === '&&' ? one.sql : not(one.sql)
  const made = operator === '&&' ? both(one.sql, other.sql) : either(one.sql, other.sql)
  return typedValue('boolean', made, [], {
    fault: either(one.fault, both(asked, beyond(other.fault, one.fault))),
    inexact: either(one.inexact, both(asked, beyond(other.inexact, one.inexact))),
  })
}

/** `test ? then : otherwise`: the faults of one side count where it is asked for. */
export function conditional(asked: Typed, then: Typed, otherwise: Typed): Typed {
  const test = condition(asked)
  const merged = mergedValue(test.sql, then, otherwise)
  return {
    ...merged,
    fault: either(test.fault, chosen(test.sql, beyond(then.fault, test.fault), beyond(otherwise.fault, test.fault))),
    inexact: either(test.inexact, merged.inexact),
  }
}

const longBound = 2 ** 63

/** The largest and least numbers of a type. */
const intMost = 2_147_483_647
const longMost = 2n ** 63n - 1n

/** A double without its fraction, as Java casts it: what is too large stops at the largest, no number is nought. */
function cutDouble(value: Sql): Sql {
  const within = sql`abs(${value}) < ${decimal(longBound)}`
  const cut = sql`toInt64(if(${within}, ${value}, ${decimal(0)}))`
  const least = sql`toInt64('-9223372036854775808')`
  return sql`multiIf(${within}, ${cut}, ${value} > 0, ${whole(longMost)}, ${value} < 0, ${least}, toInt64(0))`
}

/** A number cast to another type. */
export function castTyped(type: string, value: Typed): Typed {
  if (!isNumber(value)) throw new Untranslatable('no number')
  const one = present(value)
  switch (type) {
    case 'double':
      return typedValue('double', asDouble(one), [one])
    case 'long':
      return typedValue('long', one.type === 'double' ? cutDouble(one.sql) : one.sql, [one])
    case 'int': {
      if (one.loose) throw new Untranslatable('a number of more than one type')
      if (one.type !== 'double') return typedValue('int', narrowed(one.sql), [one])
      const clamped = sql`greatest(toInt64(-2147483648), least(${whole(intMost)}, ${cutDouble(one.sql)}))`
      return typedValue('int', clamped, [one])
    }
    default:
      throw new Untranslatable('no such type')
  }
}

/** A number of a script as a literal of its type. */
export function numberLiteral(type: string | undefined, value: number | bigint, held: unknown): Typed {
  const constant = { value: held }
  if (type === 'int') return typedValue('int', whole(value), [], { constant })
  if (type === 'long') {
    const least = value === -(2n ** 63n) ? sql`toInt64('-9223372036854775808')` : whole(value)
    return typedValue('long', least, [], { constant })
  }
  if (type === 'double') return typedValue('double', decimal(Number(value)), [], { constant })
  throw new Untranslatable('no literal of its type')
}
