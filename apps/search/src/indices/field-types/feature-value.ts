import type { ResolvedField } from '../../model/mapping.ts'
import { illegalValue } from './leaf.ts'
import { decimalOf, refuseNonNumber } from './number-reading.ts'

/** The least float of Java that has all of its bits. */
const normalMin = 2 ** -126
/** Bits of a float that features are kept without: sign, exponent and the first eight of the fraction stay (Lucene, `FeatureField`). */
const droppedBits = 15

/** A feature of a document as the number that it is kept as: single precision cut to nine bits, its reciprocal where less is better. Throws for what no feature can be. */
export function featureValue(leaf: unknown, feature: string, within: string, { parameters }: ResolvedField): number {
  const given = Math.fround(numberOf(leaf))
  const value = parameters['positive_score_impact'] === false ? Math.fround(1 / given) : given
  const place = `for feature ${feature} on field ${within}`
  if (!Number.isFinite(value)) throw illegalValue(`featureValue must be finite, got: ${floatText(value)} ${place}`)
  if (value < normalMin)
    throw illegalValue(
      `featureValue must be a positive normal float, got: ${floatText(value)} ${place} which is less than the minimum positive normal float: 1.17549435E-38`,
    )
  return featureOfBits(featureBits(value))
}

function numberOf(leaf: unknown): number {
  if (typeof leaf === 'number' || typeof leaf === 'bigint') return Number(leaf)
  return typeof leaf === 'string' ? decimalOf(leaf) : refuseNonNumber(leaf)
}

const [float, bits] = sharedBits()

function sharedBits(): [Float32Array, Uint32Array] {
  const bytes = new ArrayBuffer(4)
  return [new Float32Array(bytes), new Uint32Array(bytes)]
}

function featureBits(value: number): number {
  float[0] = value
  return (bits[0] ?? 0) >>> droppedBits
}

/** The feature whose kept bits are the whole part of a number: of an average of such, Lucene's middle of all features. */
export function featureOfBits(kept: number): number {
  bits[0] = Math.trunc(kept) << droppedBits
  return float[0] ?? 0
}

/** A float by the fewest digits that tell it from its neighbours. */
export function shortFloat(value: number): number {
  const float = Math.fround(value)
  let digits = 1
  while (digits < 9 && Math.fround(Number(float.toPrecision(digits))) !== float) digits++
  return Number(float.toPrecision(digits))
}

/** A float as Java writes it: in scientific notation outside a thousandth to ten million. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Infinity' : 'Infinity'
  const shortest = shortFloat(value)
  const size = Math.abs(shortest)
  if (size === 0 || (size >= 1e-3 && size < 1e7))
    return Number.isInteger(shortest) ? `${Object.is(shortest, -0) ? '-0' : shortest}.0` : String(shortest)
  const [mantissa = '', exponent = ''] = shortest.toExponential().split('e')
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`
}
