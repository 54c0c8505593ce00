import type { Predicate } from '@logstack/rules'
import { exactJson } from '../../json/exact-json.ts'
import { isOnlyTime } from '../../sql/time-pruning.ts'
import type { Leaf } from './leaves.ts'

// What is kept of earlier searches, by the indices or the filter they were for.

const keptMax = 1_000
/** Longer filters are not told apart. */
const filterTextMax = 4_000

/** Keeps what was noted last, up to a thousand of them or as many as said. */
export function keep<V>(kept: Map<string, V>, key: string, value: V, most: number = keptMax): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
}

/** What tells the indices of a leaf from others. */
export function indicesOf({ table, indices }: Leaf): string {
  return `${table.id}: ${indices.map(({ id }) => id).join(' ')}`
}

/** What tells a filter from others, its bounds of time left out; undefined of a leaf that has none, or one too long. */
export function filterOf(leaf: Leaf): string | undefined {
  if (isOnlyTime(leaf.predicate)) return leaf.part === undefined ? undefined : partOf(leaf)
  const text = filterTexts.get(leaf.predicate) ?? textOf(leaf.predicate)
  filterTexts.set(leaf.predicate, text)
  return `${partOf(leaf)} ${text}`
}

/** What tells a search from others, its bounds of time included. */
export function searchOf(leaf: Leaf): string {
  const { predicate } = leaf
  if (predicate.op === 'all') return partOf(leaf)
  const text = searchTexts.get(predicate) ?? written([predicate])
  searchTexts.set(predicate, text)
  return `${partOf(leaf)} ${text}`
}

/** What tells the indices of a leaf, or a slice of them, from others. */
function partOf(leaf: Leaf): string {
  return leaf.part === undefined ? indicesOf(leaf) : `${indicesOf(leaf)} slice ${leaf.part}`
}

/** A search asks several times for that of its own filter. */
const filterTexts = new WeakMap<Predicate, string>()
const searchTexts = new WeakMap<Predicate, string>()

function textOf(predicate: Predicate): string {
  return written(predicate.op === 'and' ? predicate.of.filter((part) => !isOnlyTime(part)) : [predicate])
}

function written(parts: readonly Predicate[]): string {
  return String(exactJson(parts)).slice(0, filterTextMax)
}
