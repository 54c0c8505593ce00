import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { list, num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type RowSource } from '../define-aggregation.ts'
import { formatNumber } from '../number-format.ts'
import { asString } from '../shapes/metric-values.ts'
import { decimal, whole } from '../shapes/scalars.ts'
import { type NumberField, numberField, requireField } from './metric-cells.ts'

const schema = z.strictObject({
  field: z.string().optional(),
  buckets: whole.optional(),
  shard_size: whole.optional(),
  initial_buffer: whole.optional(),
  missing: decimal.optional(),
  format: z.string().optional(),
})
type Parameters = z.infer<typeof schema>

/** Most buckets that may be asked for, and most runs that they are made of: merging goes through them again and again. */
const runsMost = 10_000

/** Values that lie together. */
interface Cluster {
  readonly min: number
  readonly max: number
  readonly sum: number
  readonly count: number
}

/**
 * `variable_width_histogram`: values are parted into as many runs of equal length as three quarters of `shard_size`, and then the two with the
 * nearest means become one until there are no more than `buckets`. All values are looked at, so `initial_buffer` changes nothing.
 */
export const variableWidthHistogram = defineAggregation({
  name: 'variable_width_histogram',
  kind: 'bucket',
  schema,
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check: checkSizes,
  look(parameters, source, rows) {
    const { sql: value, many } = valuesOf(parameters, source)
    const single = many ? sql`arrayJoin(arrayDistinct(${value}))` : value
    const counted = sql`SELECT ${single} AS v, count() AS c FROM ${rows.with([single])} GROUP BY v HAVING isNotNull(v)`
    const placed = sql`SELECT v, c, sum(c) OVER (ORDER BY v) - c AS before, sum(c) OVER () AS n FROM (${counted})`
    const run = sql`intDiv(before, ceil(n / ${num(runsOf(parameters))}))`
    return sql`SELECT min(v), max(v), sum(v * c), sum(c) FROM (${placed}) GROUP BY ${run} ORDER BY 1`
  },
  plan(parameters, source, prepared) {
    const values = valuesOf(parameters, source)
    const runs = prepared.map((row): Cluster => {
      const [min = 0, max = 0, sum = 0, count = 0] = Array.isArray(row) ? row.map(Number) : []
      return { min, max, sum, count }
    })
    const clusters = merged(runs, parameters.buckets ?? 10)
    const shown = (name: string, value: number) => {
      const { format } = parameters
      const text = asString(values.field, value, format) ?? (format && formatNumber(format, value))
      return { [name]: new Double(value), ...(text === undefined ? {} : { [`${name}_as_string`]: text }) }
    }
    return {
      belowOneBucket: true,
      parts: [{ sql: startOf(values, clusters), many: values.many, type: 'double' as const }],
      render: (found) => ({
        buckets: found.flatMap(({ key: [start], count, body }) => {
          const { min, max, sum, count: held } = clusters.find((each) => each.min === Number(start)) ?? runs[0] ?? none
          return { ...shown('min', min), ...shown('key', sum / held), ...shown('max', max), doc_count: count, ...body }
        }),
      }),
    }
  },
})

const none: Cluster = { min: 0, max: 0, sum: 0, count: 1 }

function valuesOf({ field, missing }: Parameters, source: RowSource): NumberField {
  return numberField(source, requireField(field), 'variable_width_histogram', missing)
}

function runsOf({ buckets = 10, shard_size: size = buckets * 50 }: Parameters): number {
  return Math.min(Math.floor((size * 3) / 4), runsMost)
}

function checkSizes(parameters: Parameters, name: string): void {
  const { buckets = 10, shard_size: size = buckets * 50 } = parameters
  const { initial_buffer: buffer = Math.min(10 * size, 50_000) } = parameters
  if (buckets <= 0) throw illegalArgument(`buckets must be greater than [0] for [${name}]`)
  if (size <= 1) throw illegalArgument(`shard_size must be greater than [1] for [${name}]`)
  if (buffer <= 0) throw illegalArgument(`initial_buffer must be greater than [0] for [${name}]`)
  if (buckets > runsMost) throw illegalArgument(`buckets must be less than ${runsMost}`)
  if (buffer < buckets)
    throw illegalArgument(`initial_buffer must be at least buckets but was [${buffer}<${buckets}] for [${name}]`)
  if (runsOf(parameters) < buckets)
    throw illegalArgument(
      `3/4 of shard_size must be at least buckets but was [${runsOf(parameters)}<${buckets}] for [${name}]`,
    )
}

/** Makes one of the two neighbours with the nearest means until there are no more than `most`; of equal distances the first counts. */
function merged(runs: readonly Cluster[], most: number): Cluster[] {
  const left = [...runs]
  while (left.length > most) {
    let nearest = 0
    let least = Number.POSITIVE_INFINITY
    for (const [at, cluster] of left.entries()) {
      const next = left[at + 1]
      const distance = next ? next.sum / next.count - cluster.sum / cluster.count : Number.POSITIVE_INFINITY
      if (distance < least) [nearest, least] = [at, distance]
    }
    const [one, other] = left.slice(nearest, nearest + 2)
    if (!one || !other) throw new Error('BUG: values without a distance')
    const both = { min: one.min, max: other.max, sum: one.sum + other.sum, count: one.count + other.count }
    left.splice(nearest, 2, both)
  }
  return left
}

/** The least value of the cluster that a value lies in. */
function startOf({ sql: value, many }: NumberField, clusters: readonly Cluster[]): Sql {
  const starts = list(clusters.map(({ min }) => sql`toFloat64(${num(min)})`))
  if (clusters.length === 0) return many ? sql`CAST([], 'Array(Float64)')` : sql`CAST(NULL, 'Nullable(Float64)')`
  return many ? sql`arrayMap(x -> roundDown(x, ${starts}), ${value})` : sql`roundDown(${value}, ${starts})`
}
