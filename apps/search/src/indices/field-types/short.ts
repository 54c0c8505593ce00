import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineIntegerType } from './number-reading.ts'

/** `short`: a signed 16-bit integer. */
export const shortField = defineIntegerType(
  'short',
  'Short',
  { min: -32_768n, max: 32_767n, label: 'a short' },
  z.strictObject(numberParameters),
)
