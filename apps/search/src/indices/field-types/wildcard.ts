import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { normalize } from './keyword.ts'
import { readLeaf, textOf, tooLong } from './leaf.ts'
import { commonParameters, flag, nullValue, wholeNumber } from './parameters.ts'

/** `wildcard`: a text searched by pattern; stored and compared as `keyword`, without a limit of length. */
export const wildcardField = defineFieldType({
  name: 'wildcard',
  family: 'keyword',
  valueType: 'string',
  aggregatable: true,
  parameters: z.strictObject({
    ...commonParameters,
    null_value: nullValue,
    doc_values: flag.optional(),
    normalizer: z.enum(['lowercase', 'default']).nullable().optional(),
    ignore_above: wholeNumber.pipe(z.number().nonnegative()).optional(),
  }),
  parse: readLeaf((leaf, field) => {
    const text = textOf(leaf)
    const limit = field.parameters['ignore_above']
    return typeof limit === 'number' && text.length > limit ? tooLong : normalize(text, field)
  }),
  queryValue: (given, field) => normalize(textOf(given), field),
  show: String,
})
