import { type Sql, sql } from '../../sql/sql.ts'
import { versionKey } from '../../sql/version-order.ts'
import { defineCommand, noting, valueIn } from '../define-command.ts'
import { type Order, withCells } from '../stage.ts'
import type { EsqlType } from '../types.ts'
import { refuse } from '../value.ts'
import { greatestOf, leastOf } from '../version-order.ts'

const unsortable: ReadonlySet<EsqlType> = new Set(['date_period', 'time_duration', 'geo_point', '_source'])

/** `SORT …`: rows come in this order from here on; of several values the least counts, downwards the greatest. */
export const sort = defineCommand({
  name: 'sort',
  apply(stage, { orders }, context) {
    const cells: (readonly [Sql, Sql])[] = []
    const keys: Order[] = []
    for (const { of, descending, nullsFirst } of orders) {
      const value = noting(context, () => valueIn(stage, context, of))
      if (!value) continue
      if (unsortable.has(value.type)) noting(context, () => refuse(value, `cannot sort on ${value.type}`))
      const alias = context.aliases.next()
      const extreme = descending ? sql`arrayMax` : sql`arrayMin`
      if (value.type === 'version') {
        const one = descending ? greatestOf('version', value.sql) : leastOf('version', value.sql)
        cells.push([alias, versionKey(value.many ? one : value.sql)])
      } else cells.push([alias, value.many ? sql`if(empty(${value.sql}), NULL, ${extreme}(${value.sql}))` : value.sql])
      keys.push({ sql: alias, descending, nullsFirst })
    }
    return { ...withCells(stage, cells), order: keys }
  },
})
