import { asksTokenIndex } from '../../sql/predicate-to-sql.ts'
import { ident, num, type Sql, sql, unlessAbove } from '../../sql/sql.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import { filterOf, keep } from '../leaves/filter-keys.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf } from '../leaves/leaves.ts'
import type { OrderKey, SortValue } from '../order/order-key.ts'
import { type ArrivalsWanted, FirstArrivals } from './first-arrivals.ts'
import { timeMarks } from './time-marks.ts'
import { findsAll } from './totals.ts'

/** A filter's matches are not spread evenly. */
const spreadShare = 2
/** Rows in which a filter is looked for first that nothing is known of: a small share of a table of a million, and none of a small one. */
const unknownRows = 65_536

/** How many first rows by arrival the engine finds without reading the others. */
const foundByEngineMax = 100

/** The first rows of an order of a leaf. */
export interface RowsWanted {
  readonly leaf: Leaf
  readonly keys: readonly OrderKey[]
  readonly count: number
  /** The values of the row to go on from, one a key. */
  readonly after: readonly SortValue[] | undefined
  /** The field of whose values only the first row of each is wanted. */
  readonly collapse: string | undefined
}

/**
 * Narrows the look for the first rows of an order to where they are likely to be, so that the engine need not read the whole of the order's
 * column for ten rows, nor a block of every part for a filter. Of a filter that is guessed from where it found its rows before, and the first time
 * it is looked for in a few of the first rows. A narrow look that finds as many rows as were asked for has found the right ones, whatever the guess was
 * made of.
 */
export class FirstRows {
  readonly #marks: ReturnType<typeof timeMarks>
  readonly #arrivals = new FirstArrivals()
  /** How many rows a filter looked through for each that it found, by table, indices and filter; infinite of one that found too few. */
  readonly #spreads = new Map<string, number>()

  constructor(marks: ReturnType<typeof timeMarks>) {
    this.#marks = marks
  }

  /** The condition of the narrow look; undefined where there is none. */
  condition(services: Pick<PlanServices, 'catalogue'>, wanted: RowsWanted): Sql | undefined {
    const { leaf, count, after } = wanted
    if (!isTold(leaf)) return undefined
    const { at, key } = deciding(wanted)
    if (isArrival(key)) {
      const until = this.#arrivals.until(services, leaf, arrivalsWanted(wanted, at))
      if (until === undefined) return undefined
      const near = sql`_seq <= ${num(until)}`
      // Of all rows of a table the engine finds the first few by itself, by an index on their numbers; of a thousand it reads two seconds long (ADR 0007).
      const isPlain =
        count <= foundByEngineMax && findsAll(leaf) && wanted.collapse === undefined && after === undefined
      return isPlain ? unlessAbove({ table: leaf.table.id, seq: leaf.visibility.seq }, near) : near
    }
    if (!isTime(key) || !holdsMost(services, leaf)) return undefined
    const time = this.#marks.reach(
      leaf.table,
      this.#rowsFor(services, leaf, count),
      key.descending,
      boundOf(leaf, key, after?.[at]),
    )
    const { from: least, to: most } = timeBounds(leaf.predicate)
    if (time === undefined) return undefined
    if (key.descending) return time > least ? sql`_time >= ${num(time)}` : undefined
    return time < most ? sql`_time <= ${num(time)}` : undefined
  }

  /** How many rows are looked through for `count` of a filter. */
  #rowsFor(services: Pick<PlanServices, 'catalogue'>, leaf: Leaf, count: number): number {
    const filter = filterOf(leaf)
    if (filter === undefined) return count
    const spread = this.#spreads.get(filter)
    if (spread !== undefined) return count * spread
    return asksTokenIndex(leaf.predicate, columnLookup(services, leaf))
      ? Number.POSITIVE_INFINITY
      : Math.max(unknownRows, spreadShare * count)
  }

  /** Notes where the rows were found: the values of each of their keys. `missed` says that a narrow look held too few of them. */
  found(wanted: RowsWanted, missed: boolean, rows: readonly (readonly SortValue[])[]): void {
    const { leaf, count, after } = wanted
    if (!isTold(leaf)) return
    const { at, key } = deciding(wanted)
    if (isArrival(key)) {
      const sequences = rows.map((values) => Number(values[at]))
      this.#arrivals.found(leaf, arrivalsWanted(wanted, at), sequences)
    }
    // Of a page that goes on from another only that the guess was too narrow says something.
    if (!isTime(key) || (after && !missed)) return
    this.#foundInTime(leaf, key, count, after ? undefined : rows[count - 1]?.[at])
  }

  /** Notes how far a filter that is read in the order of time had to look: to the time of the last of `count` rows; undefined where there are fewer. */
  #foundInTime(leaf: Leaf, key: OrderKey, count: number, last: SortValue | undefined): void {
    const filter = filterOf(leaf)
    if (filter === undefined) return
    const isFew = last === undefined || last === null
    const bound = boundOf(leaf, key, undefined)
    const rows = isFew
      ? Number.POSITIVE_INFINITY
      : this.#marks.rowsUntil(leaf.table, bound, key.descending, Number(last))
    if (rows === undefined) this.#spreads.delete(filter)
    else keep(this.#spreads, filter, Math.max(1, (spreadShare * rows) / count))
  }
}

/** The first key that not all rows have the same value of, and its place. */
function deciding({ keys }: RowsWanted): { readonly at: number; readonly key: OrderKey | undefined } {
  const at = keys.findIndex(({ constant }) => constant !== true)
  return { at, key: keys[at] }
}

/** Whether its search tells a leaf from others. */
function isTold({ condition, part, found }: Leaf): boolean {
  return found === undefined && (condition === undefined || part !== undefined)
}

/** Whether rows are ordered by their arrival, the first first. */
export function isArrival(key: OrderKey | undefined): boolean {
  return key?.sql.text === ident('_seq').text && !key.descending
}

function isTime(key: OrderKey | undefined): key is OrderKey {
  return key?.sql.text === ident('_time').text
}

function arrivalsWanted({ count, after, collapse }: RowsWanted, at: number): ArrivalsWanted {
  const from = after?.[at]
  return { count, from: from === undefined || from === null ? undefined : Number(from), collapse }
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
export function firstRows(services: Pick<PlanServices, 'documents' | 'engine' | 'now'>): FirstRows {
  const known = firstRowsOf.get(services.documents) ?? new FirstRows(timeMarks(services))
  firstRowsOf.set(services.documents, known)
  return known
}
