import { sql } from '../../sql/sql.ts'
import { defineCommand, valueIn } from '../define-command.ts'
import { truth } from '../operators.ts'

/** `WHERE condition`: the rows for which it is true, not unknown. */
export const where = defineCommand({
  name: 'where',
  apply(stage, { condition }, context) {
    const at = { ...condition, text: context.text.slice(condition.from, condition.to) }
    const held = truth(valueIn(stage, context, condition), at)
    return { ...stage, from: () => sql`(SELECT * FROM ${stage.from()} WHERE ${held})` }
  },
})
