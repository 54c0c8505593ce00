import type { Engine } from '../../engine/engine.ts'
import type { TableMeta } from '../../model/table.ts'
import { num, sql, str } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'

/** Where the granules of a table begin in time: enough to say how far back the newest thousand rows reach. */
interface Marks {
  /** Milliseconds, ascending; all of them or a sample. */
  readonly times: readonly number[]
  /** Marks in all, of which `times` are some. */
  readonly count: number
  readonly parts: number
}

/** Rows between two marks of a part, and fewer than there are in tables that were made with larger granules. */
const rowsOfMark = 1_024
const sampleMax = 4_096
const keptMs = 30_000

/**
 * Guesses how far from an end of time the first rows of an order lie, from a sample of each table's primary index. A guess may be wrong, as
 * when the table was written to: who uses it counts what was found, and looks everywhere when that is too little.
 */
class TimeMarks {
  readonly #engine: Pick<Engine, 'rows'>
  readonly #now: () => number
  readonly #kept = new Map<number, { marks: Marks | undefined; atMs: number }>()

  constructor(engine: Pick<Engine, 'rows'>, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /**
   * The time before (`descending`) or after which the first `rows` rows from `bound` on do not lie; undefined while nothing is known, and where
   * it would leave most of the table.
   */
  reach(table: TableMeta, rows: number, descending: boolean, bound: number): number | undefined {
    const marks = this.#of(table)
    if (!marks) return undefined
    const { times, count, parts } = marks
    // Granules of several parts lie beside each other, and each part may begin with a cut one.
    const steps = Math.ceil(((Math.ceil(rows / rowsOfMark) + 1 + parts) * times.length) / count) + 1
    if (steps * 2 > times.length) return undefined
    const at = descending ? firstAbove(times, bound) - 1 - steps : firstAbove(times, bound - 1) + steps
    return times[at]
  }

  /** About how many rows lie between a bound and the time of a row that was found there; undefined while nothing is known. */
  rowsUntil(table: TableMeta, bound: number, descending: boolean, found: number): number | undefined {
    const marks = this.#of(table)
    if (!marks || marks.times.length === 0) return undefined
    const [low, high] = descending ? [found, bound] : [bound, found]
    const steps = Math.max(0, firstAbove(marks.times, high) - firstAbove(marks.times, low - 1))
    return (steps * rowsOfMark * marks.count) / marks.times.length
  }

  #of(table: TableMeta): Marks | undefined {
    const known = this.#kept.get(table.id)
    if (!known || this.#now() - known.atMs > keptMs) {
      this.#kept.set(table.id, { marks: known?.marks, atMs: this.#now() })
      // In the background: until then the search looks everywhere. A failure is a guess less.
      this.#read(table).catch(() => this.#kept.delete(table.id))
    }
    return known?.marks
  }

  async #read(table: TableMeta): Promise<void> {
    const statement = sql`SELECT arraySort(groupArraySample(${num(sampleMax)}, 1)(_time)), count(), uniqExact(part_name) FROM mergeTreeIndex(currentDatabase(), ${str(table.name)})`
    const [row] = await this.#engine.rows(statement, { owner: this })
    const [times, count, parts] = row ?? []
    if (!Array.isArray(times)) throw new Error('BUG: marks are a list')
    const marks = { times: times.map(Number), count: Number(count), parts: Number(parts) }
    this.#kept.set(table.id, { marks, atMs: this.#now() })
  }
}

const marksOf = new WeakMap<object, TimeMarks>()

/** The marks of the tables of a running search. */
export function timeMarks({ documents, engine }: Pick<PlanServices, 'documents' | 'engine'>): TimeMarks {
  const known = marksOf.get(documents) ?? new TimeMarks(engine, () => performance.now())
  marksOf.set(documents, known)
  return known
}

/** The place of the first time above a bound. */
function firstAbove(times: readonly number[], bound: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= bound) low = middle + 1
    else high = middle
  }
  return low
}
