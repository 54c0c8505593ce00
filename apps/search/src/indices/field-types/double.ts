import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineDecimalType } from './number-reading.ts'

/** `double`: IEEE 754, 64 bits. */
export const doubleField = defineDecimalType('double', (value) => value, z.strictObject(numberParameters))
