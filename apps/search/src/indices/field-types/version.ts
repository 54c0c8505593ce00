import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { commonParameters } from './parameters.ts'

/** `version`: a software version; compared by the order of versions in ranges and sorts, as text in the order of buckets. */
export const versionField = defineFieldType({
  name: 'version',
  family: 'version',
  valueType: 'string',
  aggregatable: true,
  parameters: z.strictObject(commonParameters),
  parse: readLeaf(textOf),
  queryValue: textOf,
  show: String,
})
