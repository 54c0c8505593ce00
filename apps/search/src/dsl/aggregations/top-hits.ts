import { z } from 'zod'
import { Double } from '../../plan/json.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation, type JsonObject, type RowSource } from '../define-aggregation.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { flag, whole } from '../shapes/scalars.ts'
import { readSort, type SortCriterion, sortSchema } from '../sort/read-sort.ts'
import { filterParts, readSourceFilter, sourceFilterSchema } from '../source-filter.ts'

/** The default of `index.max_inner_result_window`. */
const hitsMax = 100

/** `top_hits`: the first documents of a bucket, by numbers or dates in either order, by text ascending. */
export const topHits = defineAggregation({
  name: 'top_hits',
  kind: 'metric',
  schema: z.strictObject({
    size: whole.optional(),
    from: whole.optional(),
    sort: sortSchema.optional(),
    _source: sourceFilterSchema.optional(),
    version: flag.optional(),
    seq_no_primary_term: flag.optional(),
    track_scores: flag.optional(),
  }),
  uses: ({ sort }) => ({ fields: readSort(sort).map(({ field }) => field) }),
  plan(parameters, source) {
    const { size = 3, from = 0 } = parameters
    if (from + size > hitsMax)
      throw illegalArgument(
        `Top hits result window is too large, the top hits aggregator [top_hits]'s from + size must be less than or equal to: [${hitsMax}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
      )
    const sort = readSort(parameters.sort)
    const keys = sort.map((criterion) => sortKey(criterion, source))
    const filter = readSourceFilter(parameters._source)
    const { sequence, index, id, source: json } = source.document()
    const row = sql`tuple(${join([...keys, sequence, index, id, json], ', ')})`
    return {
      cells: [sql`count()`, sql`groupArraySorted(${num(Math.max(1, from + size))})(${row})`],
      render([count, rows]) {
        const found = Array.isArray(rows) ? rows.slice(from, from + size) : []
        const hits = found.map((each: unknown) => renderHit(each, sort, keys.length, source, filter))
        return {
          hits: {
            total: { value: Number(count ?? 0), relation: 'eq' },
            max_score: hits.length > 0 && sort.length === 0 ? new Double(1) : null,
            hits,
          },
        }
      },
      orderCell: () => undefined,
    }
  },
})

/** Ascending numbers; what is missing comes last. */
function sortKey({ field: path, descending }: SortCriterion, source: RowSource): Sql {
  const field = source.field(path)
  if (field.many) throw illegalArgument(`sorting [top_hits] by [${path}], which has several values, is not supported`)
  if (field.type === 'string' || field.type === 'text' || field.type === 'ip') {
    if (descending) throw illegalArgument(`sorting [top_hits] by [${path}] in descending order is not supported`)
    return sql`ifNull(toString(${field.sql}), '\uffff')`
  }
  const value =
    field.type === undefined ? sql`inf` : sql`ifNull(toFloat64(${field.sql}), ${descending ? sql`-inf` : sql`inf`})`
  return descending ? sql`-(${value})` : value
}

function renderHit(
  row: unknown,
  sort: readonly SortCriterion[],
  keys: number,
  source: RowSource,
  filter: ReturnType<typeof readSourceFilter>,
): JsonObject {
  const cells: readonly unknown[] = Array.isArray(row) ? row : []
  const visible = source.visible(Number(cells[keys + 1]), String(cells[keys + 3]))
  const parsed = visible === undefined ? undefined : (JSON.parse(visible) as unknown)
  const values = sort.map(({ descending }, at) => {
    const cell = cells[at]
    return typeof cell === 'number' ? (descending ? -cell : cell) : (cell ?? null)
  })
  return {
    _index: source.indexName(Number(cells[keys + 1])),
    _id: String(cells[keys + 2]),
    _score: sort.length === 0 ? new Double(1) : null,
    ...(filter === 'none' || parsed === undefined
      ? {}
      : { _source: filter === 'whole' ? parsed : filterParts(parsed, filter) }),
    ...(sort.length === 0 ? {} : { sort: values }),
  }
}
