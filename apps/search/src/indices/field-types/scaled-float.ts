import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineDecimalType } from './number-reading.ts'
import { anyNumber } from './parameters.ts'

/** `scaled_float`: a double rounded to a multiple of `1 / scaling_factor`. */
export const scaledFloatField = defineDecimalType(
  'scaled_float',
  (value, field) => {
    const factor = Number(field.parameters['scaling_factor'])
    return Math.round(value * factor) / factor
  },
  z.strictObject({
    ...numberParameters,
    scaling_factor: anyNumber.pipe(z.number().positive('[scaling_factor] must be a positive number')),
  }),
)
