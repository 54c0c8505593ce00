import { columnValues } from '../../documents/column-values.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { timeMarks } from '../pruning/time-marks.ts'

/** So many times the rows below which the values of a table are not read. */
const manyFactor = 10

/**
 * About how many rows of leaves lie in the times that are asked for, whatever else is, where these are so many that a longer statement or one more costs less than it spares;
 * else undefined.
 */
export function manyRows(services: PlanServices, leaves: readonly Leaf[]): number | undefined {
  const least = columnValues(services).rowsMin * manyFactor
  const all = leaves.map(({ visibility, found }) => found?.sequences.length ?? visibility.seq + 1)
  // Nobody asks for the marks of small tables.
  if (sumOf(all) < least) return undefined
  const inTime = leaves.map(({ table, predicate, found }, at) => {
    const { from, to } = timeBounds(predicate)
    const between = found ? undefined : timeMarks(services).rowsUntil(table, to, true, from)
    return Math.min(all[at] ?? 0, between ?? Number.POSITIVE_INFINITY)
  })
  const rows = sumOf(inTime)
  return rows < least ? undefined : rows
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
