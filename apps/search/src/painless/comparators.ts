import { naturalOrder } from './java-values.ts'
import type { MethodTable } from './method-table.ts'
import { spend } from './script-run.ts'

type Compare = (one: unknown, other: unknown) => unknown
type Apply = (value: unknown) => unknown

/** A comparator made of others, each call of which is a step: they may be doubled again and again. */
const counted = (compare: Compare): Compare => {
  return (one, other) => {
    spend(1)
    return compare(one, other)
  }
}

const byKey = (keyOf: Apply, compare: Compare = naturalOrder): Compare => {
  return counted((one, other) => compare(keyOf(one), keyOf(other)))
}
const reversed = (compare: Compare): Compare => {
  return counted((one, other) => compare(other, one))
}
const thenBy = (first: Compare, then: Compare): Compare => {
  return counted((one, other) => Number(first(one, other)) || then(one, other))
}

/** Java's `Comparator`, by name: functions of two values that give less than, more than or just 0. */
export const comparators = {
  comparing: byKey,
  comparingInt: byKey,
  comparingLong: byKey,
  comparingDouble: byKey,
  naturalOrder: () => naturalOrder,
  reverseOrder: () => reversed(naturalOrder),
}

/** Methods of comparators. */
export const comparatorMethods: MethodTable = {
  reversed,
  thenComparing: (first: Compare, then: (...values: unknown[]) => unknown) =>
    thenBy(first, then.length === 1 ? byKey(then as Apply) : (then as Compare)),
}
