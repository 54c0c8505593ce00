import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { num, sql } from '../../sql/sql.ts'
import {
  type Background,
  type BucketPlan,
  defineAggregation,
  type FoundBucket,
  type RowField,
} from '../define-aggregation.ts'
import { flag, whole } from '../shapes/scalars.ts'
import { fieldKey, renderKey } from './bucket-key.ts'
import { filteredKey, keyFilter } from './include-exclude.ts'
import { aggregatable, requireField } from './metric-cells.ts'
import { heuristics } from './significance.ts'

/** Keys of one bucket that are looked at, the most frequent first. */
const candidatesMax = 10_000
const heuristic = z
  .strictObject({ include_negatives: flag.optional(), background_is_superset: flag.optional() })
  .optional()

/** The parameters of `significant_terms`, and most of `significant_text`. */
export const significantSchema = z.strictObject({
  field: z.string().optional(),
  size: whole.optional(),
  shard_size: whole.optional(),
  min_doc_count: whole.optional(),
  shard_min_doc_count: whole.optional(),
  include: keyFilter.optional(),
  exclude: keyFilter.optional(),
  execution_hint: z.string().optional(),
  format: z.string().optional(),
  jlh: z.strictObject({}).optional(),
  percentage: z.strictObject({}).optional(),
  gnd: heuristic,
  chi_square: heuristic,
  mutual_information: heuristic,
})

/** `significant_terms`: values that are more frequent among the matching documents than among all. Counts are exact. */
export const significantTerms = defineAggregation({
  name: 'significant_terms',
  kind: 'bucket',
  schema: significantSchema,
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  typedName({ field }, source) {
    const { type } = source.field(requireField(field))
    return type === undefined || type === 'string' || type === 'text' || type === 'ip' ? 'sigsterms' : 'siglterms'
  },
  plan: (parameters, source, _prepared, name) =>
    planSignificant(aggregatable(source.field(requireField(parameters.field))), parameters, source.nowMs, name),
})

/** The plan over the values of a field; `background` is the field among all documents, where that is another. */
export function planSignificant(
  field: RowField,
  parameters: z.infer<typeof significantSchema>,
  nowMs: number,
  name: string,
  background?: RowField,
): BucketPlan {
  const { size = 10, min_doc_count: least = 3, include, exclude, format } = parameters
  if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${name}]`)
  const chosen = (Object.keys(heuristics) as (keyof typeof heuristics)[]).find((each) => parameters[each] !== undefined)
  const keyOf = (of: RowField) => filteredKey(fieldKey(of), of, { name, include, exclude }, nowMs)
  return {
    parts: [keyOf(field)],
    ...(background ? { backgroundParts: [keyOf(background)] } : {}),
    size: candidatesMax,
    minimumCount: least,
    background: 'found',
    order: ({ count, keys }) => [sql`${count} DESC`, ...keys.map((key) => sql`${key} ASC`)],
    chosen: ({ count }) => sql`${count} >= ${num(Math.max(1, least))}`,
    render(found, _empty, background) {
      if (!background) throw new Error('BUG: significant terms without their background')
      const shown = scored(found, background, heuristics[chosen ?? 'jlh']).slice(0, size)
      return {
        doc_count: background.parentDocuments,
        bg_count: background.documents,
        buckets: shown.map(({ bucket, score, everywhere }) => ({
          ...renderKey(bucket.key[0], field, format),
          doc_count: bucket.count,
          score: new Double(score),
          bg_count: everywhere,
          ...bucket.body,
        })),
      }
    },
  }
}

function scored(
  found: readonly FoundBucket[],
  { keys, documents, parentDocuments }: Background,
  heuristic: (typeof heuristics)[keyof typeof heuristics],
) {
  const everywhere = new Map(keys.map(({ key, count }) => [JSON.stringify(key), count]))
  return found
    .map((bucket) => {
      const inAll = everywhere.get(JSON.stringify(bucket.key)) ?? bucket.count
      const score = heuristic({ inSubset: bucket.count, subset: parentDocuments, inAll, all: documents })
      return { bucket, score, everywhere: inAll }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.bucket.count - a.bucket.count)
}
