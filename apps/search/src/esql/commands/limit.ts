import { num, sql } from '../../sql/sql.ts'
import { defineCommand, type QueryContext } from '../define-command.ts'
import { orderBy, type Stage, selected } from '../stage.ts'

/** The most rows an answer has (`esql.query.result_truncation_max_size`), and how many it has without a LIMIT. */
const rowsMost = 10_000
const rowsDefault = 1_000

/** `LIMIT n`: the first n rows in the order they come in. */
export const limit = defineCommand({
  name: 'limit',
  apply: (stage, { count }) => limited(stage, count),
})

/** The first rows of a stage. */
function limited(stage: Stage, count: number): Stage {
  const from = () => sql`(SELECT * FROM ${stage.from()}${orderBy(stage.order)} LIMIT ${num(count)})`
  return { ...selected(stage, from), rowsMax: Math.min(count, stage.rowsMax ?? count) }
}

/** The rows of an answer: bounded, with a warning where the query nowhere says how many it wants. */
export function bounded(stage: Stage, hasLimit: boolean, context: QueryContext): Stage {
  if (hasLimit) return (stage.rowsMax ?? Number.POSITIVE_INFINITY) > rowsMost ? limited(stage, rowsMost) : stage
  context.warnings.add(`No limit defined, adding default limit of [${rowsDefault}]`)
  return (stage.rowsMax ?? Number.POSITIVE_INFINITY) > rowsDefault ? limited(stage, rowsDefault) : stage
}
