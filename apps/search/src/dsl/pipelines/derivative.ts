import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { fixedIntervalMs, isCalendarInterval } from '../shapes/date-rounding.ts'
import { plainNumber } from './buckets-path.ts'
import { definePipeline } from './define-pipeline.ts'
import { onePathSchema, pathOf, simpleValue, valuesOf } from './shapes.ts'

const dayMs = 86_400_000
/** Calendar units count with their usual length. */
const unitMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  quarter: 90 * dayMs,
  year: 365 * dayMs,
  '1w': 7 * dayMs,
  '1M': 30 * dayMs,
  '1q': 90 * dayMs,
  '1y': 365 * dayMs,
}

/** `derivative`: how much a bucket's value differs from the one before it; with `unit` also for each such span of time. */
export const derivative = definePipeline({
  name: 'derivative',
  place: 'parent',
  sequential: true,
  typedName: 'derivative',
  schema: onePathSchema.extend({ unit: z.string().optional() }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'derivative')],
  check({ unit }) {
    if (unit !== undefined) lengthMs(unit)
  },
  run({ buckets_path: paths, gap_policy: gap, unit }, buckets, { name, put }) {
    const values = valuesOf(buckets, pathOf(paths, name), gap)
    return buckets.map((bucket, at) => {
      const before = buckets[at - 1]
      if (!before) return bucket
      const slope = (values[at] ?? Number.NaN) - (values[at - 1] ?? Number.NaN)
      const answer = simpleValue(slope)
      if (unit === undefined) return put(bucket, answer)
      const span = (keyOf(bucket.answer['key']) - keyOf(before.answer['key'])) / lengthMs(unit)
      const normalized = slope / span
      return put(bucket, { ...answer, normalized_value: Number.isFinite(normalized) ? new Double(normalized) : null })
    })
  },
})

function keyOf(key: unknown): number {
  return plainNumber(key) ?? Number.NaN
}

function lengthMs(unit: string): number {
  return isCalendarInterval(unit) && unitMs[unit] !== undefined ? unitMs[unit] : fixedIntervalMs(unit)
}
