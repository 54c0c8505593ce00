import { z } from 'zod'

const unitsMs = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  milliseconds: 1,
} as const

/** The names of the units. */
export const durationUnits: readonly string[] = Object.keys(unitsMs)

const amount = z.number().min(0).optional()

const spanMsMax = 100 * 365 * unitsMs.days

/** A span of time as ElastAlert writes it, `{minutes: 5}` or several units added up; parsed to milliseconds. */
export const durationSchema = z
  .strictObject({
    weeks: amount,
    days: amount,
    hours: amount,
    minutes: amount,
    seconds: amount,
    milliseconds: amount,
  })
  .refine((spans) => Object.keys(spans).length > 0, 'expected a time such as {minutes: 5}')
  .transform((spans) =>
    Object.entries(unitsMs).reduce((sum, [unit, ms]) => sum + ms * (spans[unit as keyof typeof unitsMs] ?? 0), 0),
  )
  .refine((span) => span <= spanMsMax, 'longer than 100 years')
