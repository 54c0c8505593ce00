import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineIntegerType } from './number-reading.ts'

/** `long`: a signed 64-bit integer. */
export const longField = defineIntegerType(
  'long',
  'Long',
  { min: -9_223_372_036_854_775_808n, max: 9_223_372_036_854_775_807n, label: 'a long' },
  z.strictObject(numberParameters),
)
