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
const arrivalsMax = 1_000

/**
 * Narrows the look for the first rows of an order to where they are likely to be, so that the engine need not read the whole of the order's
 * column for ten rows. Only for searches that find all documents, or all of a time: others may find none in the narrow place. A narrow look that
 * finds as many rows as were asked for has found the right ones, whatever the guess was made of.
 */
export class FirstRows {
  readonly #marks: TimeMarks
  readonly #arrivals = new Map<string, Arrivals>()

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
    if (leaf.condition !== undefined) return undefined
    const at = keys.findIndex(({ constant }) => constant !== true)
    const key = keys[at]
    const from = after?.[at]
    if (key?.sql.text === ident('_seq').text && !key.descending && findsAll(leaf)) {
      const known = this.#arrivals.get(keyOf(leaf))
      const start = from === undefined ? known?.first : Number(from)
      return known && start !== undefined ? sql`_seq <= ${num(start + known.span)}` : undefined
    }
    if (key?.sql.text !== ident('_time').text || !isOnlyTime(leaf.predicate)) return undefined
    if (!holdsMost(services, leaf)) return undefined
    const bounds = timeBounds(leaf.predicate)
    const start = from === undefined || from === null ? Number.NaN : Number(from)
    if (key.descending) {
      const time = this.#marks.reach(
        leaf.table,
        count,
        true,
        Number.isNaN(start) ? bounds.to : Math.min(start, bounds.to),
      )
      return time !== undefined && time > bounds.from ? sql`_time >= ${num(time)}` : undefined
    }
    const first = Number.isNaN(start) ? bounds.from : Math.max(start, bounds.from)
    const time = this.#marks.reach(leaf.table, count, false, first)
    return time !== undefined && time < bounds.to ? sql`_time <= ${num(time)}` : undefined
  }

  /** Notes where the first rows by arrival were found: sequence numbers in order, of a search that found all documents. */
  arrived(leaf: Leaf, sequences: readonly number[]): void {
    const [first] = sequences
    const last = sequences.at(-1)
    if (first === undefined || last === undefined) return
    const key = keyOf(leaf)
    this.#arrivals.delete(key)
    this.#arrivals.set(key, { first, span: Math.max(spanMin, 2 * (last - first)) })
    const [oldest] = this.#arrivals.keys()
    if (this.#arrivals.size > arrivalsMax && oldest !== undefined) this.#arrivals.delete(oldest)
  }
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
