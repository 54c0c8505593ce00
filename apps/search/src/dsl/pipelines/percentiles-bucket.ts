import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { definePipeline } from './define-pipeline.ts'
import { onePathSchema, pathOf } from './shapes.ts'

const defaultPercents = [1, 5, 25, 50, 75, 95, 99]

/** `percentiles_bucket`: for each percent the nearest value of the sibling buckets, without interpolation. */
export const percentilesBucket = definePipeline({
  name: 'percentiles_bucket',
  place: 'sibling',
  typedName: 'percentiles_bucket',
  schema: onePathSchema.extend({ percents: z.array(decimal).min(1).optional(), keyed: flag.optional() }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'percentiles_bucket')],
  check({ percents = [] }, name) {
    if (percents.some((percent) => percent < 0 || percent > 100))
      throw illegalArgument(`[percents] must only contain non-null doubles from 0.0-100.0 inclusive: [${name}]`)
  },
  run({ buckets_path: paths, gap_policy: gap, percents = defaultPercents, keyed = true }, read) {
    const values = read(pathOf(paths, 'percentiles_bucket'), gap)
    const sorted = values.map(({ value }) => value).sort((a, b) => a - b)
    const found = percents.map((percent) => {
      const value = sorted[Math.round((percent / 100) * (sorted.length - 1))]
      return { percent, value: value === undefined ? null : new Double(value) }
    })
    return {
      values: keyed
        ? Object.fromEntries(found.map(({ percent, value }) => [printDouble(percent), value]))
        : found.map(({ percent, value }) => ({ key: new Double(percent), value })),
    }
  },
})
