import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf } from './leaf.ts'
import { numberParameters } from './number-parameters.ts'
import { narrow, notANumber, queryNumber, refuseNonNumber, showNumber } from './number-reading.ts'

const max = 18_446_744_073_709_551_615n
const wholeText = /^\+?\d+(?:\.0*)?$/

function read(leaf: unknown): number | bigint {
  if (typeof leaf === 'number' && Number.isSafeInteger(leaf) && leaf >= 0) return leaf
  if (typeof leaf !== 'number' && typeof leaf !== 'string' && typeof leaf !== 'bigint') return refuseNonNumber(leaf)
  const text = typeof leaf === 'number' && Number.isInteger(leaf) ? String(BigInt(leaf)) : String(leaf)
  if (/^-\d+(?:\.0*)?$/.test(text)) throw illegalValue(`Value [${text}] is out of range for unsigned long`)
  if (!wholeText.test(text)) throw notANumber(text)
  const value = BigInt(text.replace(/^\+|\.0*$/g, ''))
  if (value > max) throw illegalValue(`Value [${text}] is out of range for unsigned long`)
  return narrow(value)
}

const { coerce: _, ...parameters } = numberParameters

/** `unsigned_long`: an unsigned 64-bit integer; decimals are refused, never cut. */
export const unsignedLongField = defineFieldType({
  name: 'unsigned_long',
  family: 'unsigned_long',
  valueType: 'unsigned',
  aggregatable: true,
  parameters: z.strictObject(parameters),
  parse: readLeaf(read),
  queryValue: queryNumber,
  show: showNumber,
})
