import { illegalArgument } from '../../refusals/refuse.ts'
import { renderExtended, renderStats } from '../shapes/rendered-stats.ts'
import { decimal } from '../shapes/scalars.ts'
import { definePipeline } from './define-pipeline.ts'
import { onePathSchema, pathOf } from './shapes.ts'
import { plainField, statsOf } from './stats-bucket.ts'

/** `extended_stats_bucket`: `stats_bucket` with squares, variances and deviations. */
export const extendedStatsBucket = definePipeline({
  name: 'extended_stats_bucket',
  place: 'sibling',
  typedName: 'extended_stats_bucket',
  schema: onePathSchema.extend({ sigma: decimal.optional() }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'extended_stats_bucket')],
  check({ sigma = 2 }) {
    if (sigma < 0) throw illegalArgument('sigma must be a non-negative double')
  },
  run({ buckets_path: paths, gap_policy: gap, sigma = 2 }, read) {
    const values = read(pathOf(paths, 'extended_stats_bucket'), gap)
    const stats = statsOf(values)
    const squares = values.reduce((sum, { value }) => sum + value * value, 0)
    const mean = stats[3] ?? 0
    const spread = values.reduce((sum, { value }) => sum + (value - mean) ** 2, 0)
    const variances = [spread / values.length, spread / (values.length - 1)]
    const [population = Number.NaN, sampling = Number.NaN] = variances
    const cells = [...stats, squares, population, Math.sqrt(population), sampling, Math.sqrt(sampling)]
    return { ...renderStats(stats, plainField, undefined), ...renderExtended(cells, sigma) }
  },
})
