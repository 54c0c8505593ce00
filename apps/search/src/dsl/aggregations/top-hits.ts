import { z } from 'zod'
import type { Double } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { type AggregationUse, defineAggregation } from '../define-aggregation.ts'
import { flag, whole } from '../shapes/scalars.ts'
import { isNewestFirst, readSort, sortSchema } from '../sort/read-sort.ts'
import { sourceFilterSchema } from '../source-filter.ts'

/** The default of `index.max_inner_result_window`. */
const hitsMax = 100
const sizeDefault = 3

const shownField = z.union([z.string(), z.looseObject({ field: z.string() })])
const nameOf = (field: z.infer<typeof shownField>): string => (typeof field === 'string' ? field : field.field)

const schema = z.strictObject({
  size: whole.optional(),
  from: whole.optional(),
  sort: sortSchema.optional(),
  _source: sourceFilterSchema.optional(),
  fields: z.array(shownField).optional(),
  docvalue_fields: z.array(shownField).optional(),
  stored_fields: z.union([z.string(), z.array(z.string())]).optional(),
  script_fields: z.record(z.string(), z.unknown()).optional(),
  highlight: z.unknown().optional(),
  explain: flag.optional(),
  version: flag.optional(),
  seq_no_primary_term: flag.optional(),
  track_scores: flag.optional(),
})

/** `top_hits`: the first documents of a bucket in any order, shown as a search shows its hits. */
export const topHits = defineAggregation({
  name: 'top_hits',
  kind: 'metric',
  schema,
  uses(parameters): AggregationUse {
    const { fields = [], docvalue_fields: values = [], stored_fields: stored = [], highlight } = parameters
    const sort = readSort(parameters.sort)
    const marked = Object.keys(Object(Object(highlight).fields))
    return {
      sort,
      shows: [...[...fields, ...values].map(nameOf), ...(typeof stored === 'string' ? [stored] : stored), ...marked],
      // A script may ask for the score, too.
      score:
        sort.every(({ field }) => field === '_score') ||
        sort.some(({ field }) => field === '_score') ||
        parameters.track_scores === true ||
        parameters.script_fields !== undefined,
    }
  },
  check: ({ sort }) => void readSort(sort),
  plan(parameters, source, name) {
    const { size = sizeDefault, from = 0, explain } = parameters
    if (from + size > hitsMax)
      throw illegalArgument(
        `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be less than or equal to: [${hitsMax}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
      )
    const sort = readSort(parameters.sort)
    if (!source.arrival && explain === true)
      throw illegalArgument('[explain] of [top_hits] is not supported within [nested]')
    const first = source.firstPlaces(sort.length > 0 ? sort : readSort(['_score']), Math.max(1, from + size))
    return {
      cells: [sql`count()`, first],
      ...(isNewestFirst(sort) ? { newest: Math.max(1, from + size) } : {}),
      hits: { ...parameters, size, from },
      render([count, shown]) {
        const { best = null, hits = [] } = Object(shown) as { readonly best?: Double | null; readonly hits?: unknown }
        return { hits: { total: { value: Number(count ?? 0), relation: 'eq' }, max_score: best, hits } }
      },
      orderCell: () => undefined,
    }
  },
})
