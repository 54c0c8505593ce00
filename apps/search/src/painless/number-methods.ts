import { orderOfNumbers } from './arithmetic.ts'
import { hashOf } from './java-hash.ts'
import { equal, naturalOrder, textOf } from './java-values.ts'
import type { MethodTable } from './method-table.ts'
import { castNumber, type NumberType, numbersHave } from './typed-number.ts'

const castingTo = (type: NumberType) => (value: unknown) => castNumber(type, value)

/** Methods of numbers of all types. */
export const numberMethods: MethodTable = {
  byteValue: castingTo('byte'),
  shortValue: castingTo('short'),
  intValue: castingTo('int'),
  longValue: castingTo('long'),
  floatValue: castingTo('float'),
  doubleValue: castingTo('double'),
  toString: textOf,
  hashCode: hashOf,
  equals: equal,
  isNaN: (value: unknown) => Number.isNaN(value),
  isInfinite: (value: unknown) => Math.abs(Number(value)) === Number.POSITIVE_INFINITY,
  compareTo: (value: unknown, other: unknown) => naturalOrder(value, other),
}
numbersHave(numberMethods)

/** The order of numbers by value, whatever their types: `Integer.compare` casts first. */
export function compareNumbers(type: NumberType, one: unknown, other: unknown): number {
  const order = orderOfNumbers(castNumber(type, one), castNumber(type, other))
  return Number.isNaN(order) ? naturalOrder(castNumber('double', one), castNumber('double', other)) : order
}
