import { columnsOf } from '../../sql/predicate-to-sql.ts'
import { ident, num, type Sql, sql } from '../../sql/sql.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, hasManyTimes, type Leaf } from '../leaves/leaves.ts'
import { timeMarks } from '../pruning/time-marks.ts'
import { manyRows } from './rows-about.ts'

/** Among which the newest of groups are looked for: a bucket of a thousandth of all rows has some of them. */
const lookedAtMax = 65_536
/** A share of the rows there are, too, so that a look that finds too little costs little. */
const lookedAtShare = 16

/**
 * A condition that about so many of the newest rows of leaves meet, all of which have a time, and that no row meets which is older than one that does not; undefined where rows
 * are few, have several times or none, or where it is not known how they lie in time.
 */
export function newestRows(
  services: PlanServices,
  leaves: readonly Leaf[],
  project: (prefix: string, byLeaf: readonly Sql[]) => Sql,
): Sql | undefined {
  const rows = manyRows(services, leaves)
  if (rows === undefined) return undefined
  const looks = leaves.map((leaf) => {
    const lookup = columnLookup(services, leaf)
    const field = leaf.context.field('@timestamp')
    if (field?.path !== '@timestamp' || hasManyTimes(lookup, leaf)) return undefined
    if (field.valueType !== 'date' && field.valueType !== 'date_nanos') return undefined
    const columns = columnsOf({ path: field.path, type: field.valueType }, lookup)
    const about = Math.min(lookedAtMax, Math.ceil(rows / lookedAtShare))
    const time = timeMarks(services).reach(leaf.table, about, true, timeBounds(leaf.predicate).to)
    return columns && time !== undefined ? { time, present: sql`isNotNull(${columns.one})` } : undefined
  })
  const known = looks.filter((look) => look !== undefined)
  if (known.length === 0 || known.length < leaves.length) return undefined
  const time = project(
    'z',
    leaves.map(() => ident('_time')),
  )
  const present = project(
    'z',
    known.map((look) => look.present),
  )
  return sql`${time} >= ${num(Math.min(...known.map((look) => look.time)))} AND ${present}`
}
