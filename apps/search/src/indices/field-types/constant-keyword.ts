import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf, textOf } from './leaf.ts'
import { commonParameters } from './parameters.ts'

/** `constant_keyword`: the same text in every document of an index; the mapping or the first document gives it. */
export const constantKeywordField = defineFieldType({
  name: 'constant_keyword',
  family: 'keyword',
  valueType: 'string',
  aggregatable: true,
  parameters: z.strictObject({
    meta: commonParameters.meta,
    value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).optional(),
  }),
  parse: readLeaf((leaf, field) => {
    const text = textOf(leaf)
    const constant = field.parameters['value']
    if (constant !== undefined && constant !== text)
      throw illegalValue(
        `[constant_keyword] field [${field.path}] only accepts values that are equal to the value defined in the mappings [${String(constant)}], but got [${text}]`,
      )
    return text
  }),
  queryValue: textOf,
  show: String,
})
