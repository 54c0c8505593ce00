import { readStrictly } from '../../refusals/refuse.ts'
import type { Aggregation, AnyAggregation, LookedAt, RowSource } from '../define-aggregation.ts'
import { pipelines } from '../pipelines/index.ts'
import { adjacencyMatrix } from './adjacency-matrix.ts'
import { autoDateHistogram } from './auto-date-histogram.ts'
import { avg } from './avg.ts'
import { boxplot } from './boxplot.ts'
import { cardinality } from './cardinality.ts'
import { childrenAggregation } from './children.ts'
import { composite } from './composite.ts'
import { dateHistogram } from './date-histogram.ts'
import { dateRange } from './date-range.ts'
import { diversifiedSampler } from './diversified-sampler.ts'
import { extendedStats } from './extended-stats.ts'
import { filter } from './filter.ts'
import { filters } from './filters.ts'
import { geoBounds } from './geo-bounds.ts'
import { geoCentroid } from './geo-centroid.ts'
import { geoDistanceRanges } from './geo-distance.ts'
import { geohashGrid } from './geohash-grid.ts'
import { geotileGrid } from './geotile-grid.ts'
import { globalAggregation } from './global.ts'
import { histogram } from './histogram.ts'
import { ipPrefix } from './ip-prefix.ts'
import { ipRange } from './ip-range.ts'
import { matrixStats } from './matrix-stats.ts'
import { max } from './max.ts'
import { medianAbsoluteDeviation } from './median-absolute-deviation.ts'
import { min } from './min.ts'
import { missing } from './missing.ts'
import { multiTerms } from './multi-terms.ts'
import { nestedAggregation } from './nested.ts'
import { parentAggregation } from './parent.ts'
import { percentileRanks } from './percentile-ranks.ts'
import { percentiles } from './percentiles.ts'
import { randomSampler } from './random-sampler.ts'
import { range } from './range.ts'
import { rareTerms } from './rare-terms.ts'
import { rate } from './rate.ts'
import { reverseNested } from './reverse-nested.ts'
import { sampler } from './sampler.ts'
import { scriptedMetric } from './scripted-metric.ts'
import { significantTerms } from './significant-terms.ts'
import { significantText } from './significant-text.ts'
import { stats } from './stats.ts'
import { stringStats } from './string-stats.ts'
import { sum } from './sum.ts'
import { terms } from './terms.ts'
import { topHits } from './top-hits.ts'
import { topMetrics } from './top-metrics.ts'
import { valueCount } from './value-count.ts'
import { typedBody, typedRows } from './value-type.ts'
import { scriptedBody } from './values-script.ts'
import { variableWidthHistogram } from './variable-width-histogram.ts'
import { weightedAvg } from './weighted-avg.ts'

/** Every aggregation by its wire name: what search supports. */
export const aggregations: ReadonlyMap<string, AnyAggregation> = new Map(
  [
    entry(avg),
    entry(cardinality),
    entry(composite),
    entry(dateHistogram),
    entry(childrenAggregation),
    entry(dateRange),
    entry(extendedStats),
    entry(filter),
    entry(filters),
    entry(histogram),
    entry(matrixStats),
    entry(max),
    entry(min),
    entry(missing),
    entry(multiTerms),
    entry(nestedAggregation),
    entry(reverseNested),
    entry(parentAggregation),
    entry(percentiles),
    entry(range),
    entry(stats),
    entry(sum),
    entry(terms),
    entry(topHits),
    entry(valueCount),
    entry(adjacencyMatrix),
    entry(geoBounds),
    entry(geoCentroid),
    entry(geoDistanceRanges),
    entry(geohashGrid),
    entry(geotileGrid),
    entry(globalAggregation),
    entry(medianAbsoluteDeviation),
    entry(percentileRanks),
    entry(rareTerms),
    entry(rate),
    entry(weightedAvg),
    entry(topMetrics),
    entry(ipRange),
    entry(autoDateHistogram),
    entry(boxplot),
    entry(ipPrefix),
    entry(randomSampler),
    entry(sampler),
    entry(diversifiedSampler),
    entry(scriptedMetric),
    entry(variableWidthHistogram),
    entry(significantTerms),
    entry(significantText),
    entry(stringStats),
    ...pipelines,
  ].map((aggregation) => [aggregation.name, aggregation]),
)

function entry<P>(aggregation: Aggregation<P>): AnyAggregation {
  return {
    name: aggregation.name,
    schema: aggregation.schema,
    hasChildren: aggregation.kind === 'bucket',
    read(given) {
      const scripted = scriptedBody(aggregation.name, given)
      const { body, valueType } = typedBody(aggregation.name, scripted?.body ?? given)
      // What a script gives has its type already.
      const path = scripted ? undefined : (body as { readonly field?: string } | null)?.field
      const typed = (source: RowSource) => typedRows(source, valueType, path)
      const parameters = readStrictly(aggregation.schema, body, aggregation.name, 'aggregation')
      return {
        typeName: aggregation.name,
        fillsMissing:
          Object.hasOwn(Object(parameters), 'missing') ||
          (aggregation.kind === 'metric' && !aggregation.uses(parameters).fields?.length),
        uses: () => ({ ...aggregation.uses(parameters), script: scripted?.script }),
        check: (name) => aggregation.check?.(parameters, name, Object.keys(Object(given))),
        typedName: (source) => aggregation.typedName?.(parameters, source) ?? aggregation.name,
        ...(aggregation.kind === 'bucket' && aggregation.prepare
          ? { prepare: (source: RowSource) => aggregation.prepare?.(parameters, typed(source)) ?? [] }
          : {}),
        ...(aggregation.kind === 'bucket' && aggregation.look
          ? { look: (source: RowSource, rows: LookedAt) => aggregation.look?.(parameters, typed(source), rows) }
          : {}),
        plan: (source, prepared = [], name = aggregation.name, around = undefined) =>
          aggregation.kind === 'metric'
            ? { kind: 'metric', plan: aggregation.plan(parameters, typed(source), name, around) }
            : { kind: 'bucket', plan: aggregation.plan(parameters, typed(source), prepared, name) },
      }
    },
  }
}
