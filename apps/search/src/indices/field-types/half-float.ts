import { z } from 'zod'
import { numberParameters } from './number-parameters.ts'
import { defineDecimalType } from './number-reading.ts'

const largest = 65_504
/** Half of the distance from the largest finite value to the next power: from here on a value rounds to infinity. */
const overflow = 65_520
const smallestExponent = -14
const fractionBits = 10

/** The nearest 16-bit float, ties to even. */
function roundToHalf(value: number): number {
  const size = Math.abs(value)
  if (size === 0 || !Number.isFinite(value)) return value
  if (size >= overflow) return value < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const exponent = Math.max(Math.floor(Math.log2(size)), smallestExponent)
  const step = 2 ** (exponent - fractionBits)
  const scaled = size / step
  const below = Math.floor(scaled)
  const rest = scaled - below
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below
  return Math.sign(value) * Math.min(rounded * step, largest)
}

/** `half_float`: IEEE 754, 16 bits; values are rounded to that precision and then kept as doubles. */
export const halfFloatField = defineDecimalType('half_float', roundToHalf, z.strictObject(numberParameters))
