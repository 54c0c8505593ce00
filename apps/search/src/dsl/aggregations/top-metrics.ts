import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { oneOrMany, whole } from '../shapes/scalars.ts'
import { isNewestFirst, readSort, sortSchema } from '../sort/read-sort.ts'
import { plainKey, showDate } from './bucket-key.ts'
import { aggregatable, numberField } from './metric-cells.ts'

/** The default of `index.top_metrics_max_size`. */
const sizeMax = 10

/** `top_metrics`: fields of the first documents of a bucket, by a number or date. */
export const topMetrics = defineAggregation({
  name: 'top_metrics',
  kind: 'metric',
  schema: z.strictObject({
    metrics: oneOrMany(z.strictObject({ field: z.string() })),
    sort: sortSchema,
    size: whole.optional(),
  }),
  uses: ({ metrics, sort }) => ({
    fields: [...metrics, ...readSort(sort)].flatMap(({ field }) => (field.startsWith('_') ? [] : [field])),
  }),
  plan({ metrics, sort, size = 1 }, source) {
    const [criterion, second] = readSort(sort)
    if (!criterion || second) throw parsingError('[top_metrics] must have exactly one sort')
    if (size < 1 || size > sizeMax)
      throw illegalArgument(
        `[top_metrics.size] must not be more than [${sizeMax}] but was [${size}]. This limit can be set by changing the [index.top_metrics_max_size] index level setting.`,
      )
    const values = numberField(source, criterion.field, 'top_metrics')
    const low = values.many ? sql`if(empty(${values.sql}), NULL, arraySort(${values.sql})[1])` : values.sql
    const high = values.many ? sql`if(empty(${values.sql}), NULL, arrayReverseSort(${values.sql})[1])` : values.sql
    const key = criterion.descending ? sql`-(${high})` : low
    const fields = metrics.map(({ field }) => aggregatable(source.field(field)))
    const row = sql`tuple(assumeNotNull(${key}), ${join(fields.map(shown), ', ')})`
    return {
      ...(isNewestFirst([criterion]) ? { newest: size } : {}),
      cells: [sql`groupArraySortedIf(${num(size)})(${row}, isNotNull(${key}))`],
      render([rows]) {
        const found: readonly unknown[] = Array.isArray(rows) ? rows : []
        const top = found.map((each) => {
          const [order, ...cells]: readonly unknown[] = Array.isArray(each) ? each : []
          const by = Number(order) * (criterion.descending ? -1 : 1)
          return {
            sort: [sortValue(by, values.field)],
            metrics: Object.fromEntries(fields.map((field, at) => [field.path, metric(cells[at], field)])),
          }
        })
        return { top }
      },
      orderCell: () => undefined,
    }
  },
})

/** The value as text, and the empty text for none: a tuple is compared as a whole, and null compares with nothing. */
function shown(field: RowField): Sql {
  const one = field.many
    ? sql`if(empty(${field.sql}), NULL, toString(arraySort(${field.sql})[1]))`
    : sql`toString(${field.sql})`
  return sql`ifNull(concat('=', ${one}), '')`
}

function metric(cell: unknown, field: RowField): unknown {
  const text = String(cell ?? '')
  if (text === '') return null
  const value = text.slice(1)
  if (field.type === 'boolean') return value === 'true' || value === '1'
  if (field.type === 'date') return showDate(Number(value), field, undefined)
  if (field.type === 'date_nanos') return showDate(Number(BigInt(value) / 1_000_000n), field, undefined)
  return plainKey(value, field.type)
}

function sortValue(value: number, field: RowField): unknown {
  if (field.type === 'date' || field.type === 'date_nanos') return showDate(value, field, undefined)
  return field.type === 'double' ? new Double(value) : value
}
