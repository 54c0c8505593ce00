import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineIntegerType } from './number-reading.ts'

/** `integer`: a signed 32-bit integer. */
export const integerField = defineIntegerType(
  'integer',
  'Integer',
  { min: -2_147_483_648n, max: 2_147_483_647n, label: 'an integer' },
  z.strictObject(numberParameters),
)
