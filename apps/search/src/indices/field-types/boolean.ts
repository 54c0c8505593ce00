import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf, tokenError } from './leaf.ts'
import { flag, malformedParameters } from './parameters.ts'

function tokenName(leaf: unknown): string {
  const token = jsonToken(leaf)
  return token === 'VALUE_NUMBER' ? `VALUE_NUMBER_${Number.isInteger(Number(leaf)) ? 'INT' : 'FLOAT'}` : token
}

function read(leaf: unknown): boolean {
  if (typeof leaf === 'boolean') return leaf
  if (leaf === 'true') return true
  if (leaf === 'false' || leaf === '') return false
  if (typeof leaf !== 'string') throw tokenError(`Current token (${tokenName(leaf)}) not of boolean type`)
  throw illegalValue(`Failed to parse value [${String(leaf)}] as only [true] or [false] are allowed.`)
}

/** `boolean`: true and false, the texts `true` and `false`, and the empty text for false. */
export const booleanField = defineFieldType({
  name: 'boolean',
  family: 'boolean',
  valueType: 'boolean',
  aggregatable: true,
  parameters: z.strictObject({ ...malformedParameters, null_value: flag.nullable().optional() }),
  parse: readLeaf(read),
  queryValue(given) {
    if (typeof given === 'boolean' || given === 'true' || given === 'false' || given === '') return read(given)
    throw illegalValue(`Can't parse boolean value [${String(given)}], expected [true] or [false]`)
  },
  show: (value) => value === true,
})
