import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import { parsingError, readStrictly } from '../../refusals/refuse.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { decimal, oneOrMany } from '../shapes/scalars.ts'
import { numberField } from './metric-cells.ts'

const body = z.strictObject({
  fields: oneOrMany(z.string()),
  missing: z.record(z.string(), decimal).optional(),
  mode: z.enum(['avg', 'min', 'max', 'sum', 'median']).optional(),
})

/** Keys that it does not have are refused otherwise than by other aggregations. */
const schema = z.unknown().transform((given): z.infer<typeof body> => {
  const unknown = Object.keys(Object(given)).find((key) => !Object.hasOwn(body.shape, key))
  if (unknown !== undefined) throw parsingError(`Unexpected token [${unknown}] in [matrix_stats].`)
  return readStrictly(body, given, 'matrix_stats', 'aggregation')
})

/** `matrix_stats`: how numbers of documents that have all of the fields are spread, and how they go together. */
export const matrixStats = defineAggregation({
  name: 'matrix_stats',
  kind: 'metric',
  schema,
  uses: ({ fields }) => ({ fields: [...fields] }),
  plan({ fields, missing = {}, mode = 'avg' }, source) {
    const values = fields.map((path) => {
      const { sql: value, many } = numberField(source, path, 'matrix_stats', missing[path])
      return many ? oneValue(value, mode) : value
    })
    const has =
      values.length === 0
        ? sql`0`
        : join(
            values.map((value) => sql`isNotNull(${value})`),
            ' AND ',
          )
    const single = values.flatMap((value) => [
      sql`avgIf(${value}, ${has})`,
      sql`varSampIf(${value}, ${has})`,
      sql`skewPopIf(${value}, ${has})`,
      sql`kurtPopIf(${value}, ${has})`,
    ])
    const pairs = values.flatMap((a) =>
      values.flatMap((b) => [sql`covarSampIf(${a}, ${b}, ${has})`, sql`corrIf(${a}, ${b}, ${has})`]),
    )
    return {
      cells: [sql`countIf(${has})`, ...single, ...pairs],
      render: (cells) => rendered(cells, fields),
      orderCell: () => undefined,
    }
  },
})

/** The one number that several of a document count as. */
function oneValue(values: Sql, mode: NonNullable<z.infer<typeof schema>['mode']>): Sql {
  const reduced = {
    avg: sql`arrayAvg(${values})`,
    min: sql`arrayMin(${values})`,
    max: sql`arrayMax(${values})`,
    sum: sql`arraySum(${values})`,
    median: sql`arrayReduce('medianExactInclusive', ${values})`,
  }
  return sql`if(empty(${values}), NULL, ${reduced[mode]})`
}

const singles = ['mean', 'variance', 'skewness', 'kurtosis'] as const

function rendered(cells: readonly unknown[], fields: readonly string[]): JsonObject {
  const count = Number(cells[0] ?? 0)
  if (count === 0) return { doc_count: 0 }
  const number = (at: number) => new Double(cells[at] === null ? Number.NaN : Number(cells[at]))
  const shown = fields.map((name, at) => {
    const own = singles.map((single, step) => [single, number(1 + at * singles.length + step)])
    const first = 1 + fields.length * singles.length + at * fields.length * 2
    const among = (step: number) =>
      Object.fromEntries(fields.map((other, place) => [other, number(first + place * 2 + step)]))
    return { name, count, ...Object.fromEntries(own), covariance: among(0), correlation: among(1) }
  })
  return { doc_count: count, fields: shown.sort((a, b) => slotOf(a.name) - slotOf(b.name)) }
}

/** Elasticsearch shows the fields in the order of a Java hash table of sixteen slots. */
function slotOf(name: string): number {
  let hash = 0
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0
  return (hash ^ (hash >>> 16)) & 15
}
