import { tokenize } from '@logstack/rules'
import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { queryNumber, showNumber } from './number-reading.ts'
import { flag, indexingParameters, nullValue } from './parameters.ts'

/** `token_count`: how many words a text has. */
export const tokenCountField = defineFieldType({
  name: 'token_count',
  family: 'integer',
  valueType: 'long',
  aggregatable: true,
  parameters: z.strictObject({
    ...indexingParameters,
    analyzer: z.literal('standard'),
    enable_position_increments: flag.optional(),
    null_value: nullValue,
  }),
  parse: readLeaf((leaf) => tokenize(textOf(leaf)).length),
  queryValue: queryNumber,
  show: showNumber,
})
