import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineDecimalType } from './number-reading.ts'

/** `float`: IEEE 754, 32 bits; values are rounded to that precision and then kept as doubles. */
export const floatField = defineDecimalType('float', Math.fround, z.strictObject(numberParameters))
