import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { illegalArgument, javaEnum, refusing } from '../../refusals/refuse.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import {
  type AroundLevel,
  defineAggregation,
  type RowField,
  type RowSource,
  type TimeUnit,
} from '../define-aggregation.ts'
import { asString, cellNumber } from '../shapes/metric-values.ts'
import { numberField, unsupportedType } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'
import { timeUnits } from './rate-length.ts'

const schema = numberMetricSchema.extend({
  unit: refusing(
    z
      .string()
      .refine((name) => timeUnits.has(name))
      .transform((name): TimeUnit => timeUnits.get(name) ?? { name }),
    (given) => illegalArgument(`Unsupported unit ${String(given)}`),
  ).optional(),
  mode: javaEnum(['sum', 'value_count'], 'org.elasticsearch.xpack.analytics.rate.RateMode').optional(),
})
type Rate = z.infer<typeof schema>

/** `rate`: documents, or the sum or the number of a field's values, by the time that the histogram around it counts them over. */
export const rate = defineAggregation<Rate>({
  name: 'rate',
  kind: 'metric',
  schema,
  uses: ({ field }) => ({ fields: field === undefined ? [] : [field] }),
  check({ field, mode }) {
    if (field === undefined && mode !== undefined)
      throw illegalArgument('The mode parameter is only supported with field or script')
  },
  plan(parameters, source, _name, around) {
    const { cell, field } = counted(parameters, source)
    const by = around && divisor(around, parameters.unit)
    const length = by?.sql
    return {
      cells: length ? [cell, sql`${cell} / any(${length})`] : [cell],
      render([found], path) {
        const value = found === undefined ? 0 : Number(cellNumber(found) ?? 0) / (by?.of(path) ?? 1)
        const shown = field && parameters.format !== undefined ? asString(field, value, parameters.format) : undefined
        return { value: new Double(value), ...(shown === undefined ? {} : { value_as_string: shown }) }
      },
      orderCell: (property) => (property !== undefined && property !== 'value' ? undefined : length ? 1 : 0),
    }
  },
})

function counted({ field: path, missing, mode }: Rate, source: RowSource): { cell: Sql; field?: RowField } {
  if (path === undefined) return { cell: sql`count()` }
  const { field, many, sql: values } = numberField(source, path, 'rate', missing)
  if (field.type === 'boolean' || field.type === 'date' || field.type === 'date_nanos')
    throw unsupportedType(field, 'rate')
  if (mode === 'value_count') return { field, cell: many ? sql`sum(length(${values}))` : sql`count(${values})` }
  return { field, cell: many ? sql`sumArray(${values})` : sql`sum(${values})` }
}

/** What is counted is divided by: how long the buckets of the nearest histogram of dates are, in the unit; 1 without a unit. */
function divisor(around: readonly AroundLevel[], unit: TimeUnit | undefined) {
  const level = around.findLast(({ plan }) => plan.spans)
  if (!level)
    throw illegalArgument(
      'The rate aggregation can only be used inside a date histogram aggregation or composite aggregation with exactly one date histogram value source',
    )
  const { plan, keys } = level
  const [only, second] = plan.spans ?? []
  const isOwn = level === around.at(-1)
  const key = only && isOwn ? keys[only.part] : undefined
  return {
    sql: unit && only && !second && key ? only.span.lengthSql(unit, key) : undefined,
    of(path: readonly unknown[]): number {
      if (!only || second) throw notOne(level.name)
      const own = isOwn ? path.at(only.part - plan.parts.length) : undefined
      return unit === undefined ? 1 : only.span.length(unit, own)
    },
  }
}

function notOne(name: string): AppError {
  return new AppError(
    searchErrors.aggregation_execution_exception,
    `aggregation [${name}] does not have exactly one date histogram value source; exactly one is required when using with rate aggregation`,
  )
}
