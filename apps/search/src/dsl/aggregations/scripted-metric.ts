import { z } from 'zod'
import { asksForScore } from '../../painless/field-script.ts'
import { compileMetricScripts } from '../../painless/metric-script.ts'
import { plainValue } from '../../painless/plain-value.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'

const script = z.union([z.string(), z.record(z.string(), z.unknown())])

/** `scripted_metric`: what scripts make of the documents of a bucket. All indices of a request are one shard: `combine` runs once, `states` has one member. */
export const scriptedMetric = defineAggregation({
  name: 'scripted_metric',
  kind: 'metric',
  schema: z.strictObject({
    init_script: script.optional(),
    map_script: script.optional(),
    combine_script: script.optional(),
    reduce_script: script.optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  // What a stored script asks for is not known here.
  uses: ({ map_script: map }) => ({
    score: map !== undefined && (Object.hasOwn(Object(map), 'id') || asksForScore(map)),
  }),
  check(parameters, name) {
    for (const [key, shown] of required)
      if (parameters[key] === undefined) throw illegalArgument(`[${shown}] must not be null: [${name}]`)
  },
  plan({ init_script: init, map_script: map, combine_script: combine, reduce_script: reduce, params = {} }, source) {
    const scripts = compileMetricScripts({ init, map, combine, reduce, params }, source.stored)
    const place = source.place?.()
    if (!place) throw illegalArgument('[scripted_metric] is not supported within [nested]')
    return {
      cells: [sql`groupArray(${place})`],
      fold() {
        const run = scripts.begin()
        return { add: (document) => run.map(document), answer: () => plainValue(run.answer()) }
      },
      render: (cells) => ({ value: cells.length === 0 ? plainValue(scripts.nothing()) : cells[0] }),
      orderCell: () => undefined,
    }
  },
})

const required = [
  ['map_script', 'mapScript'],
  ['combine_script', 'combineScript'],
  ['reduce_script', 'reduceScript'],
] as const
