import type { Engine } from '../engine/engine.ts'
import { ident, num, type Sql, sql } from '../sql/sql.ts'
import { timeBounds } from '../sql/time-pruning.ts'
import { filterOf, indicesOf, keep } from './filter-keys.ts'
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
      const known = this.#arrivals.get(indicesOf(leaf))
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

  /** Notes where the first rows by arrival were found: sequence numbers in order, of a search that found all documents. */
  arrived(leaf: Leaf, sequences: readonly number[]): void {
    const [first] = sequences
    const last = sequences.at(-1)
    if (first === undefined || last === undefined) return
    keep(this.#arrivals, indicesOf(leaf), { first, span: Math.max(spanMin, 2 * (last - first)) })
  }
}

/** The time from which on an order is read, `after` the value of the row to go on from. */
function boundOf({ predicate }: Leaf, { descending }: OrderKey, after: SortValue | undefined): number {
  const { from, to } = timeBounds(predicate)
  const start = after === undefined || after === null ? Number.NaN : Number(after)
  if (descending) return Number.isNaN(start) ? to : Math.min(start, to)
  return Number.isNaN(start) ? from : Math.max(start, from)
}

/** Of a table that is mostly other indices' the rows of a time are mostly theirs. */
function holdsMost({ catalogue }: Pick<PlanServices, 'catalogue'>, { table, indices }: Leaf): boolean {
  const all = [...catalogue.indices()].filter((index) => index.table === table.id).length
  return indices.length * 2 >= all
}

const firstRowsOf = new WeakMap<object, FirstRows>()

/** What is known of the first rows of a running search. */
export function firstRows({ documents, engine, now }: Pick<PlanServices, 'documents' | 'engine' | 'now'>): FirstRows {
  const known = firstRowsOf.get(documents) ?? new FirstRows(engine, now)
  firstRowsOf.set(documents, known)
  return known
}
