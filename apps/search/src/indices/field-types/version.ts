import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { commonParameters } from './parameters.ts'

/** `version`: a software version; compared as text for now, not by semantic version order. */
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
