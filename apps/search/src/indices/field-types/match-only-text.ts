import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { commonParameters } from './parameters.ts'
import { columnTextOf } from './text.ts'

/** `match_only_text`: `text` without scores and positions in Elasticsearch; here the same as `text`. */
export const matchOnlyTextField = defineFieldType({
  name: 'match_only_text',
  family: 'text',
  valueType: 'text',
  aggregatable: false,
  parameters: z.strictObject({ ...commonParameters, analyzer: z.string().optional() }),
  parse: readLeaf(columnTextOf),
  queryValue: textOf,
  show: String,
})
