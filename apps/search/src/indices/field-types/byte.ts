import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineIntegerType } from './number-reading.ts'

/** `byte`: a signed 8-bit integer. */
export const byteField = defineIntegerType(
  'byte',
  'Byte',
  { min: -128n, max: 127n, label: 'a byte' },
  z.strictObject(numberParameters),
)
