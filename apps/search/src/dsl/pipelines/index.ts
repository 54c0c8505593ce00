import type { JsonObject } from '../../json/json-object.ts'
import { Double } from '../../json/print-json.ts'
import { readStrictly } from '../../refusals/refuse.ts'
import type { AnyAggregation } from '../define-aggregation.ts'
import { formatNumber } from '../number-format.ts'
import { avgBucket } from './avg-bucket.ts'
import { bucketScript } from './bucket-script.ts'
import { bucketSelector } from './bucket-selector.ts'
import { bucketSort } from './bucket-sort.ts'
import { cumulativeSum } from './cumulative-sum.ts'
import type { Pipeline, ReadPipeline } from './define-pipeline.ts'
import { derivative } from './derivative.ts'
import { extendedStatsBucket } from './extended-stats-bucket.ts'
import { maxBucket } from './max-bucket.ts'
import { minBucket } from './min-bucket.ts'
import { movingAvg } from './moving-avg.ts'
import { movingFn } from './moving-fn.ts'
import { normalize } from './normalize.ts'
import { percentilesBucket } from './percentiles-bucket.ts'
import { serialDiff } from './serial-diff.ts'
import { statsBucket } from './stats-bucket.ts'
import { sumBucket } from './sum-bucket.ts'

/** Every pipeline aggregation: what search supports. */
export const pipelines: readonly AnyAggregation[] = [
  entry(avgBucket),
  entry(bucketScript),
  entry(bucketSelector),
  entry(bucketSort),
  entry(cumulativeSum),
  entry(derivative),
  entry(extendedStatsBucket),
  entry(maxBucket),
  entry(minBucket),
  entry(movingFn),
  entry(normalize),
  entry(percentilesBucket),
  entry(serialDiff),
  entry(statsBucket),
  entry(sumBucket),
]

/** Names that are known to be gone, so that they are refused with what replaces them. */
export const gonePipelines: readonly AnyAggregation[] = [entry(movingAvg)]

function entry<P>(pipeline: Pipeline<P>): AnyAggregation {
  return {
    name: pipeline.name,
    schema: pipeline.schema,
    hasChildren: false,
    read(body) {
      const parameters = readStrictly(pipeline.schema, body, pipeline.name, 'aggregation')
      const plan = readPipeline(pipeline, parameters)
      return {
        typeName: pipeline.name,
        fillsMissing: false,
        uses: () => ({}),
        check: plan.check,
        typedName: () => pipeline.typedName,
        plan: () => ({ kind: 'pipeline', plan }),
        pipeline: plan,
      }
    },
  }
}

function readPipeline<P>(pipeline: Pipeline<P>, parameters: P): ReadPipeline {
  const shared = {
    paths: pipeline.paths(parameters),
    check: (name: string) => pipeline.check?.(parameters, name),
  }
  const { format }: { readonly format?: unknown } = Object(parameters)
  const formatted = (answer: JsonObject) => (typeof format === 'string' ? withTexts(answer, format) : answer)
  if (pipeline.place === 'sibling')
    return { ...shared, place: 'sibling', run: (read) => formatted(pipeline.run(parameters, read)) }
  const { sequential } = pipeline
  return {
    ...shared,
    place: 'parent',
    sequential,
    run: (buckets, run) =>
      pipeline.run(parameters, buckets, { ...run, put: (bucket, answer) => run.put(bucket, formatted(answer)) }),
  }
}

/** An answer with its numbers as text beside them, `value_as_string` beside `value`; what is counted has none. */
function withTexts(answer: JsonObject, format: string): JsonObject {
  const shown: JsonObject = {}
  for (const [name, value] of Object.entries(answer)) {
    shown[name] = name === 'values' && isObject(value) ? withTexts(value, format) : value
    if (value instanceof Double && name !== 'normalized_value')
      shown[`${name}_as_string`] = formatNumber(format, value.value)
  }
  return shown
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
