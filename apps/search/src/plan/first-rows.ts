import type { Predicate } from '@logstack/rules'
import type { Engine } from '../engine/engine.ts'
import { ident, num, type Sql, sql } from '../sql/sql.ts'
import { isOnlyTime, timeBounds } from '../sql/time-pruning.ts'
import type { Leaf, PlanServices } from './leaves.ts'
import type { OrderKey, SortValue } from './order.ts'
import { TimeMarks } from './time-marks.ts'
import { findsAll } from './totals.ts'

/** Where the rows that arrived first lie, as the last look at them showed it. */
interface Arrivals {
  readonly first: number
  /** Sequence numbers that the rows asked for were spread over. */
  readonly span: number
}

const spanMin = 1_024
const keptMax = 1_000
/** Longer ones are not told apart. */
const filterTextMax = 4_000
/** A filter's matches are not spread evenly. */
const spreadShare = 2

/**
 * Narrows the look for the first rows of an order to where they are likely to be, so that the engine need not read the whole of the order's
 * column for ten rows, nor a block of every part for a filter. Of a filter that is guessed from where it found its rows before. A narrow look that
 * finds as many rows as were asked for has found the right ones, whatever the guess was made of.
 */
export class FirstRows {
  readonly #marks: TimeMarks
  readonly #arrivals = new Map<string, Arrivals>()
  /** How many rows a filter looked through for each that it found, by table, indices and filter. */
  readonly #spreads = new Map<string, number>()

  /** How many rows a filter found, by table, indices and filter. */
  readonly #counts = new Map<string, { readonly found: number; readonly areAll: boolean }>()

  constructor(engine: Pick<Engine, 'rows'>, now: () => number) {
    this.#marks = new TimeMarks(engine, now)
  }

  /** The condition of the narrow look; undefined where there is none. `after` are the values of the row to go on from, one a key. */
  condition(
    services: Pick<PlanServices, 'catalogue'>,
    leaf: Leaf,
    keys: readonly OrderKey[],
    count: number,
    after: readonly SortValue[] | undefined,
  ): Sql | undefined {
    if (leaf.condition !== undefined || leaf.found !== undefined) return undefined
    const at = keys.findIndex(({ constant }) => constant !== true)
    const key = keys[at]
    const from = after?.[at]
    if (key?.sql.text === ident('_seq').text && !key.descending && findsAll(leaf)) {
      const known = this.#arrivals.get(keyOf(leaf))
      const start = from === undefined ? known?.first : Number(from)
      return known && start !== undefined ? sql`_seq <= ${num(start + known.span)}` : undefined
    }
    if (key?.sql.text !== ident('_time').text || !holdsMost(services, leaf)) return undefined
    const filter = filterOf(leaf)
    const spread = filter === undefined ? 1 : this.#spreads.get(filter)
    if (spread === undefined) return undefined
    const bound = boundOf(leaf, key, from)
    const time = this.#marks.reach(leaf.table, count * spread, key.descending, bound)
    const { from: least, to: most } = timeBounds(leaf.predicate)
    if (time === undefined) return undefined
    if (key.descending) return time > least ? sql`_time >= ${num(time)}` : undefined
    return time < most ? sql`_time <= ${num(time)}` : undefined
  }

  /** Notes how far a filter that is read in the order of time had to look: to the time of the last of `count` rows; undefined forgets it. */
  filtered(leaf: Leaf, key: OrderKey, count: number, last: SortValue | undefined): void {
    const filter = leaf.condition === undefined ? filterOf(leaf) : undefined
    if (filter === undefined) return
    this.#spreads.delete(filter)
    if (last === undefined || last === null) return
    const rows = this.#marks.rowsUntil(leaf.table, boundOf(leaf, key, undefined), key.descending, Number(last))
    if (rows !== undefined) keep(this.#spreads, filter, Math.max(1, (spreadShare * rows) / count))
  }

  /** Whether all that the leaves find is probably less than `count` rows: it was, when the same filters were last asked for. */
  areFew(leaves: readonly Leaf[], count: number): boolean {
    const counts = leaves.map((leaf) => this.#counts.get(filterOf(leaf) ?? ''))
    return counts.length > 0 && counts.every((known) => known?.areAll && known.found < count)
  }

  /** Whether a leaf finds more than `count` rows, probably. */
  areMany(leaf: Leaf, count: number): boolean {
    return (this.#counts.get(filterOf(leaf) ?? '')?.found ?? 0) > count
  }

  /** Notes how many rows a leaf's filter found: all of them, or as many as were asked for. */
  counted(leaf: Leaf, found: number, areAll: boolean): void {
    const filter = filterOf(leaf)
    if (filter === undefined) return
    const before = areAll ? 0 : (this.#counts.get(filter)?.found ?? 0)
    keep(this.#counts, filter, { found: Math.max(found, before), areAll })
  }

  /** Notes where the first rows by arrival were found: sequence numbers in order, of a search that found all documents. */
  arrived(leaf: Leaf, sequences: readonly number[]): void {
    const [first] = sequences
    const last = sequences.at(-1)
    if (first === undefined || last === undefined) return
    keep(this.#arrivals, keyOf(leaf), { first, span: Math.max(spanMin, 2 * (last - first)) })
  }
}

/** Keeps what was noted last. */
function keep<V>(kept: Map<string, V>, key: string, value: V): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
}

/** The time from which on an order is read, `after` the value of the row to go on from. */
function boundOf({ predicate }: Leaf, { descending }: OrderKey, after: SortValue | undefined): number {
  const { from, to } = timeBounds(predicate)
  const start = after === undefined || after === null ? Number.NaN : Number(after)
  if (descending) return Number.isNaN(start) ? to : Math.min(start, to)
  return Number.isNaN(start) ? from : Math.max(start, from)
}

/** What tells a filter from others, its bounds of time left out; undefined of a leaf that has none, or one too long. */
function filterOf(leaf: Leaf): string | undefined {
  if (isOnlyTime(leaf.predicate)) return undefined
  const text = filterTexts.get(leaf.predicate) ?? textOf(leaf.predicate)
  filterTexts.set(leaf.predicate, text)
  return `${keyOf(leaf)} ${text}`
}

/** A search asks several times for that of its own filter. */
const filterTexts = new WeakMap<Predicate, string>()

function textOf(predicate: Predicate): string {
  const parts = predicate.op === 'and' ? predicate.of.filter((part) => !isOnlyTime(part)) : [predicate]
  const text = JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
  return text.slice(0, filterTextMax)
}

/** Of a table that is mostly other indices' the rows of a time are mostly theirs. */
function holdsMost({ catalogue }: Pick<PlanServices, 'catalogue'>, { table, indices }: Leaf): boolean {
  const all = [...catalogue.indices()].filter((index) => index.table === table.id).length
  return indices.length * 2 >= all
}

function keyOf({ table, indices }: Leaf): string {
  return `${table.id}: ${indices.map(({ id }) => id).join(' ')}`
}

const firstRowsOf = new WeakMap<object, FirstRows>()

/** What is known of the first rows of a running search. */
export function firstRows({ documents, engine, now }: Pick<PlanServices, 'documents' | 'engine' | 'now'>): FirstRows {
  const known = firstRowsOf.get(documents) ?? new FirstRows(engine, now)
  firstRowsOf.set(documents, known)
  return known
}
