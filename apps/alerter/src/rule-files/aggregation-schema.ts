import { Cron } from 'croner'
import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'

/** A cron schedule of five or six fields, in UTC. */
export const cronSchema = z.string().refine((text) => {
  try {
    return new Cron(text, { timezone: 'UTC', paused: true }).nextRun(new Date(0)) !== null
  } catch {
    return false
  }
}, 'expected a cron schedule such as "0 9 * * MON-FRI"')

/** When alerts are sent together: `{minutes: 15}`, or `{schedule: "0 9 * * *"}`. */
export const aggregationSchema = z.union([
  z.strictObject({ schedule: cronSchema }).transform(({ schedule }) => ({ afterMs: undefined, schedule })),
  durationSchema.transform((afterMs) => ({ afterMs, schedule: undefined })),
])

/** The first time of a schedule after `time`, both epoch ms; schedules are read in UTC. */
export function nextTime(schedule: string, time: number): number {
  const next = new Cron(schedule, { timezone: 'UTC', paused: true }).nextRun(new Date(time))
  return next?.getTime() ?? Number.POSITIVE_INFINITY
}
