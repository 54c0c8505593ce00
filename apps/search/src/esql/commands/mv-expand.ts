import { sql, str } from '../../sql/sql.ts'
import { defineCommand } from '../define-command.ts'
import { columnAt, columnOf, withCells } from '../stage.ts'
import { engineTypes } from '../types.ts'

/** `MV_EXPAND name`: a row for each value, one for none. */
export const mvExpand = defineCommand({
  name: 'mv_expand',
  apply(stage, { name }, context) {
    const value = columnOf(stage, name.name, name, name.name)
    if (!value.many) return stage
    const alias = context.aliases.next()
    const columns = stage.columns.map((each) =>
      each.name === name.name ? columnAt(each.name, { type: each.type, many: false }, alias) : each,
    )
    const type = str(`Array(Nullable(${engineTypes[value.type] ?? 'String'}))`)
    const values = sql`arrayJoin(if(empty(${value.sql}), CAST([NULL], ${type}), CAST(${value.sql}, ${type})))`
    return { ...withCells(stage, [[alias, values]]), columns, rowsMax: undefined, ties: [...(stage.ties ?? []), alias] }
  },
})
