import { num, sql } from '../../sql/sql.ts'
import { defineCommand, type QueryContext } from '../define-command.ts'
import { rowsDefault } from '../rows-default.ts'
import { orderBy, type Stage, selected } from '../stage.ts'

/** The most rows an answer has (`esql.query.result_truncation_max_size`). */
const rowsMost = 10_000

/** `LIMIT n`: the first n rows in the order they come in. */
export const limit = defineCommand({
  name: 'limit',
  apply: (stage, { count }, context) => limited(stage, count, context),
})

/** The first rows of a stage. */
function limited(stage: Stage, count: number, { readsAgain }: QueryContext): Stage {
  const ties = readsAgain ? (stage.ties ?? []) : []
  const order = [...stage.order, ...ties.map((tie) => ({ sql: tie, descending: false, nullsFirst: false }))]
  const from = () => sql`(SELECT * FROM ${stage.from()}${orderBy(order)} LIMIT ${num(count)})`
  return { ...selected(stage, from), rowsMax: Math.min(count, stage.rowsMax ?? count) }
}

/** The rows of an answer: bounded, with a warning where the query nowhere says how many it wants. */
export function bounded(stage: Stage, context: QueryContext): Stage {
  if (context.hasLimit)
    return (stage.rowsMax ?? Number.POSITIVE_INFINITY) > rowsMost ? limited(stage, rowsMost, context) : stage
  context.warnings.add(`No limit defined, adding default limit of [${rowsDefault}]`)
  return (stage.rowsMax ?? Number.POSITIVE_INFINITY) > rowsDefault ? limited(stage, rowsDefault, context) : stage
}
