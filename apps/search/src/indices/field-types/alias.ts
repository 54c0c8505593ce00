import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue } from './leaf.ts'

/** `alias`: another name of a field, for searches only. */
export const aliasField = defineFieldType({
  name: 'alias',
  family: 'alias',
  valueType: undefined,
  aggregatable: false,
  objects: 'whole',
  parameters: z.strictObject({ path: z.string().min(1) }),
  parse(_leaf, field) {
    throw illegalValue(`Cannot write to a field alias [${field.path}].`)
  },
  queryValue() {
    throw new Error('BUG: an alias was not followed before its value was read')
  },
  show: String,
})
