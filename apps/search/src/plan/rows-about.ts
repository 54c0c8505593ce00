import { columnValues } from '../documents/column-values.ts'
import { timeBounds } from '../sql/time-pruning.ts'
import type { Leaf, PlanServices } from './leaves.ts'
import { timeMarks } from './time-marks.ts'

/** So many times the rows below which the values of a table are not read. */
const manyFactor = 10

/** About how many rows of leaves lie in the times that are asked for, whatever else is. */
export function rowsAbout(services: PlanServices, leaves: readonly Leaf[]): number {
  const each = leaves.map(({ table, visibility, predicate, found }) => {
    if (found) return found.sequences.length
    const { from, to } = timeBounds(predicate)
    const inTime = timeMarks(services).rowsUntil(table, to, true, from)
    return Math.min(visibility.seq + 1, inTime ?? Number.POSITIVE_INFINITY)
  })
  return each.reduce((sum, rows) => sum + rows, 0)
}

/** Rows, as `rowsAbout` says, for which a longer statement or one more costs less than it spares. */
export function manyRows(services: PlanServices): number {
  return columnValues(services).rowsMin * manyFactor
}
