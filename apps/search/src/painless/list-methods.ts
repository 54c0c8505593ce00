import { IteratorValue } from './iterator-value.ts'
import { hashOf } from './java-hash.ts'
import { equal, naturalOrder, own, putKey, textOf } from './java-values.ts'
import { dropAt, keepWhere } from './map-view.ts'
import type { MethodTable } from './method-table.ts'
import { type Dictionary, withOrder } from './script-map.ts'
import type { ScriptSet } from './script-set.ts'
import { StreamValue } from './stream-value.ts'
import { joinedTexts } from './text-length.ts'
import { numberOf } from './typed-number.ts'

type Predicate = (value: unknown) => unknown
type Apply = (value: unknown) => unknown
type Compare = (one: unknown, other: unknown) => unknown

function element(list: readonly unknown[], at: number): unknown {
  if (Number.isInteger(at) && at >= 0 && at < list.length) return list[at]
  throw new RangeError(`Index ${at} out of bounds for length ${list.length}`)
}

const found = (values: readonly unknown[], other: unknown) => values.some((value) => equal(value, other))

/** Sorts as Java does: by a comparator, else in natural order. */
export function sorted(list: readonly unknown[], compare: Compare | null = null): unknown[] {
  return [...list].sort(compare === null ? naturalOrder : (one, other) => Number(compare(one, other)))
}

/** Values by what a function gives of them. */
export function grouped(list: readonly unknown[], keyOf: Apply): Dictionary {
  const groups: Dictionary = withOrder({}, 'hash')
  for (const value of list) {
    const key = keyOf(value)
    const group = own(groups, key)
    if (Array.isArray(group)) group.push(value)
    else putKey(groups, key, [value])
  }
  return groups
}

/** What lists, sets and arrays have in common. */
const collections: MethodTable = {
  size: (list: unknown[]) => list.length,
  length: (list: unknown[]) => list.length,
  getLength: (list: unknown[]) => list.length,
  isEmpty: (list: unknown[]) => list.length === 0,
  contains: found,
  containsAll: (list: unknown[], others: unknown[]) => others.every((other) => found(list, other)),
  removeIf: (list: unknown[], test: Predicate) => keepWhere(list, (value) => test(value) !== true),
  removeAll: (list: unknown[], others: unknown[]) => keepWhere(list, (value) => !found(others, value)),
  retainAll: (list: unknown[], others: unknown[]) => keepWhere(list, (value) => found(others, value)),
  clear: (list: unknown[]) => void keepWhere(list, () => false),
  hashCode: hashOf,
  equals: equal,
  toString: textOf,
  toArray: (list: unknown[]) => [...list],
  stream: (list: unknown[]) => new StreamValue(list),
  iterator: (list: unknown[]) => new IteratorValue(list, (at) => dropAt(list, at)),
  forEach: (list: unknown[], use: Apply) => {
    for (const value of [...list]) use(value)
  },
  each: (list: unknown[], use: Apply) => {
    for (const value of [...list]) use(value)
    return list
  },
  any: (list: unknown[], test: Predicate) => list.some((value) => test(value) === true),
  every: (list: unknown[], test: Predicate) => list.every((value) => test(value) === true),
  find: (list: unknown[], test: Predicate) => list.find((value) => test(value) === true) ?? null,
  findAll: (list: unknown[], test: Predicate) => list.filter((value) => test(value) === true),
  collect: (list: unknown[], apply: Apply) => list.map((value) => apply(value)),
  count: (list: unknown[], test: Predicate) => list.filter((value) => test(value) === true).length,
  groupBy: grouped,
  join: (list: unknown[], separator: string) => joinedTexts(list.map(textOf), separator),
  sum: (list: unknown[], apply?: Apply) =>
    numberOf(
      'double',
      list.reduce<number>((sum, value) => sum + Number(apply ? apply(value) : value), 0),
    ),
}

/** Methods of lists and arrays. */
export const listMethods: MethodTable = {
  ...collections,
  get: element,
  set: (list: unknown[], at: number, value: unknown) => {
    const old = element(list, at)
    list[at] = value
    return old
  },
  add: (list: unknown[], first: unknown, ...second: unknown[]) => {
    if (second.length === 0) return list.push(first) > 0
    const at = Number(first)
    if (!(at >= 0 && at <= list.length)) throw new RangeError(`Index: ${at}, Size: ${list.length}`)
    list.splice(at, 0, second[0])
    return null
  },
  addAll: (list: unknown[], others: unknown[]) => {
    for (const other of [...others]) list.push(other)
    return others.length > 0
  },
  remove: (list: unknown[], at: number) => {
    const old = element(list, at)
    list.splice(at, 1)
    return old
  },
  indexOf: (list: unknown[], value: unknown) => list.findIndex((item) => equal(item, value)),
  lastIndexOf: (list: unknown[], value: unknown) => list.findLastIndex((item) => equal(item, value)),
  subList: (list: unknown[], from: number, to: number) => {
    if (from >= 0 && to <= list.length && from <= to) return list.slice(from, to)
    throw new RangeError(`fromIndex: ${from}, toIndex: ${to}, size: ${list.length}`)
  },
  sort: (list: unknown[], compare: Compare | null = null) => {
    for (const [at, value] of sorted(list, compare).entries()) list[at] = value
  },
}

/** Methods of sets. */
export const setMethods: MethodTable = {
  ...collections,
  contains: (set: ScriptSet, value: unknown) => set.has(value),
  add: (set: ScriptSet, value: unknown) => !set.has(value) && set.include([value]),
  addAll: (set: ScriptSet, others: unknown[]) => set.include(others),
  remove: (set: ScriptSet, value: unknown) => keepWhere(set, (item) => !equal(item, value)),
}
