import { join, sql } from '../../sql/sql.ts'
import { compile } from '../compile.ts'
import { defineCommand, surroundings } from '../define-command.ts'
import { truth } from '../operators.ts'
import { selected } from '../stage.ts'

/** `WHERE condition`: the rows for which it is true, not unknown. */
export const where = defineCommand({
  name: 'where',
  apply(stage, command, context) {
    const { condition } = command
    const at = { ...condition, text: context.text.slice(condition.from, condition.to) }
    const held = truth(compile(condition, { ...surroundings(stage, context), command }), at)
    const below = stage.kept?.below ?? stage.from
    const conditions = [...(stage.kept?.conditions ?? []), held]
    const from = () => sql`(SELECT * FROM ${below()} WHERE ${join(conditions, ' AND ')})`
    return { ...(stage.kept ? { ...stage, from } : selected(stage, from)), kept: { below, conditions } }
  },
})
