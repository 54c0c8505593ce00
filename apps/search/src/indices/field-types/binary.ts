import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { absent, illegalValue, readLeaf, textOf } from './leaf.ts'
import { commonParameters, flag } from './parameters.ts'

const base64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/

/** `binary`: Base64 text, kept in the source and not searchable; what its column says is that there is a value, where the mapping keeps one. */
export const binaryField = defineFieldType({
  name: 'binary',
  family: 'binary',
  valueType: 'boolean',
  aggregatable: false,
  presenceOnly: true,
  parameters: z.strictObject({ ...commonParameters, doc_values: flag.optional(), store: flag.optional() }),
  parse: readLeaf((leaf, { parameters }) => {
    // What is kept in the source only is looked at by nobody.
    if (parameters['doc_values'] !== true && parameters['store'] !== true) return absent
    if (!base64.test(textOf(leaf))) throw illegalValue('Failed to decode a base64 value')
    return true
  }),
  queryValue() {
    throw illegalValue('Binary fields do not support searching')
  },
  show: String,
})
