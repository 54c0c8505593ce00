import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { illegalArgument, memberError } from '../../refusals/refuse.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type KeyPart } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { decimal, flag, whole } from '../shapes/scalars.ts'
import { valuePrinter } from './bucket-key.ts'
import { bucketOrder, orderCriteria, orderSql } from './bucket-order.ts'
import { checkBounds, fillGaps, reordered } from './fill-gaps.ts'
import { type NumberField, numberField, requireField } from './metric-cells.ts'
import { holdsSpans, outerEnds, spanKey } from './span-keys.ts'

const bounds = z.strictObject({ min: decimal.optional(), max: decimal.optional() })

/** What `histogram` and the source of that name in `composite` have in common. */
export const numberIntervalSchema = z.strictObject({
  field: z.string().optional(),
  interval: decimal.optional(),
  offset: decimal.optional(),
})

/** `histogram`: buckets of equal width over a numeric field; gaps are filled unless `min_doc_count` says otherwise. */
export const histogram = defineAggregation({
  name: 'histogram',
  kind: 'bucket',
  schema: numberIntervalSchema.extend({
    min_doc_count: whole.optional(),
    extended_bounds: bounds.optional(),
    hard_bounds: bounds.optional(),
    keyed: flag.optional(),
    missing: decimal.optional(),
    order: bucketOrder.optional(),
    format: z.string().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ interval }, name) {
    if (interval === undefined || interval > 0) return
    const reason = `[interval] must be >0 for histogram aggregation [${name}]`
    throw memberError('histogram', 'interval', illegalArgument(reason))
  },
  prepare({ field: path }, source) {
    const field = source.field(requireField(path))
    if (holdsSpans(field)) return outerEnds(field)
    // Refused here, where it is asked of each index by itself.
    numberField(source, field.path, 'histogram')
    return []
  },
  plan(parameters, source, prepared, name) {
    checkBounds(parameters.extended_bounds ?? {}, name, printDouble)
    const { interval = 0, offset = 0, min_doc_count: minimumCount = 0, missing } = parameters
    const field = source.field(requireField(parameters.field))
    const floor = (value: number) => Math.floor((value - offset) / interval) * interval + offset
    const criteria = orderCriteria(parameters.order, { path: '_key', descending: false })
    const print = valuePrinter(field, parameters.format)
    const byMetric = criteria.some(({ path }) => path !== '_key' && path !== '_count')
    return {
      parts: [
        holdsSpans(field)
          ? spanKey(
              field,
              {
                from: parameters.hard_bounds?.min ?? cellNumber(prepared[0]) ?? undefined,
                to: parameters.hard_bounds?.max ?? cellNumber(prepared[1]) ?? undefined,
                bucketsMax: source.bucketsMax,
              },
              { floor, next: (start) => floor(start + interval * 1.5) },
              'double',
            )
          : numberKey(
              numberField(source, field.path, 'histogram', missing),
              interval,
              offset,
              parameters.hard_bounds ?? {},
            ),
      ],
      minimumCount,
      ...(byMetric ? { order: (columns: Parameters<typeof orderSql>[1]) => orderSql(criteria, columns) } : {}),
      render(found, empty) {
        const starts = found.map((bucket) => ({ start: Number(bucket.key[0]), bucket }))
        const steps = { floor, next: (start: number) => floor(start + interval * 1.5) }
        const filled =
          minimumCount > 0 || byMetric
            ? starts
            : fillGaps(starts, steps, parameters.extended_bounds ?? {}, empty, source.bucketsMax)
        const buckets = (byMetric ? filled : reordered(filled, criteria)).map(({ start, bucket }) =>
          Object.assign(headOf(start, bucket.count, print?.(start)), bucket.body),
        )
        if (parameters.keyed !== true) return { buckets }
        return {
          buckets: Object.fromEntries(
            buckets.map((bucket) => [bucket.key_as_string ?? printDouble(bucket.key.value), bucket]),
          ),
        }
      },
    }
  },
})

/** The key of a numeric field in buckets of `interval`. */
export function numberKey(
  values: NumberField,
  interval: number,
  offset: number,
  hard: { readonly min?: number | undefined; readonly max?: number | undefined } = {},
): KeyPart {
  if (!(interval > 0)) throw illegalArgument(`interval must be positive, got: ${printDouble(interval)}`)
  const rounded = (value: Sql) =>
    sql`floor((${value} - ${num(offset)}) / ${num(interval)}) * ${num(interval)} + ${num(offset)}`
  // A bucket that begins within the bounds is whole.
  const conditions = (value: Sql) => [
    ...(hard.min === undefined ? [] : [sql`${rounded(value)} >= ${num(hard.min)}`]),
    ...(hard.max === undefined ? [] : [sql`${rounded(value)} <= ${num(hard.max)}`]),
  ]
  if (values.many) {
    const kept = conditions(sql`x`).reduce(
      (list, condition) => sql`arrayFilter(x -> ${condition}, ${list})`,
      values.sql,
    )
    return { sql: sql`arrayMap(x -> ${rounded(sql`x`)}, ${kept})`, many: true, type: 'double' }
  }
  const kept = conditions(values.sql).reduce((inner, condition) => sql`if(${condition}, ${inner}, NULL)`, values.sql)
  return { sql: rounded(kept), many: false, type: 'double' }
}

interface Head {
  readonly key_as_string?: string
  readonly key: Double
  readonly doc_count: number
}

/** Two literals, as V8 takes fifty times longer for one that begins with a spread, and there are thousands of buckets. */
function headOf(start: number, count: number, printed: string | undefined): Head {
  const key = new Double(start)
  return printed === undefined ? { key, doc_count: count } : { key_as_string: printed, key, doc_count: count }
}
