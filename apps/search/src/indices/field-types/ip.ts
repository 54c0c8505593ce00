import { isIPv4 } from 'node:net'
import { formatIp, parseIp } from '@logstack/rules'
import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf, textOf } from './leaf.ts'
import { malformedParameters, nullValue } from './parameters.ts'

function read(leaf: unknown): string {
  const text = textOf(leaf)
  // An IPv4 text has one form only, and nearly all are IPv4.
  if (isIPv4(text)) return text
  const address = parseIp(text)
  if (address === undefined) throw illegalValue(`'${text}' is not an IP string literal.`)
  return formatIp(address)
}

/** `ip`: an IPv4 or IPv6 address, kept as canonical text; a word is refused. Blocks (`10.0.0.0/8`) in queries are the query's own matter. */
export const ipField = defineFieldType({
  name: 'ip',
  family: 'ip',
  valueType: 'ip',
  aggregatable: true,
  parameters: z.strictObject({ ...malformedParameters, null_value: nullValue }),
  parse: readLeaf(read),
  queryValue: read,
  show: String,
})
