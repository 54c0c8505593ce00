import { z } from 'zod'
import { anyNumber, flag, malformedParameters } from './parameters.ts'

/** Parameters of the number types. */
export const numberParameters = {
  ...malformedParameters,
  coerce: flag.optional(),
  null_value: anyNumber.nullable().optional(),
  time_series_metric: z.enum(['gauge', 'counter', 'summary', 'position']).optional(),
}
