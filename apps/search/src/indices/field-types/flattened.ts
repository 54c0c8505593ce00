import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf, tooLong } from './leaf.ts'
import { indexingParameters, nullValue, wholeNumber } from './parameters.ts'

const parameters = z.strictObject({
  ...indexingParameters,
  null_value: nullValue,
  ignore_above: wholeNumber.pipe(z.number().nonnegative()).optional(),
  depth_limit: wholeNumber.optional(),
  split_queries_on_whitespace: z.boolean().optional(),
  eager_global_ordinals: z.boolean().optional(),
  similarity: z.string().optional(),
  index_options: z.enum(['docs', 'freqs']).optional(),
})

/** All leaves of an object as keywords of one field, searchable as a whole and by `field.key`. */
function flattened(name: string) {
  return defineFieldType({
    name,
    family: name,
    valueType: 'string',
    aggregatable: true,
    objects: 'leaves',
    parameters,
    parse: readLeaf((leaf, field) => {
      const text = textOf(leaf)
      const limit = field.parameters['ignore_above']
      return typeof limit === 'number' && text.length > limit ? tooLong : text
    }),
    queryValue: textOf,
    show: String,
  })
}

/** `flattened`, and OpenSearch's name for the same, `flat_object`. */
export const flattenedFields = [flattened('flattened'), flattened('flat_object')]

/** What such a field says to a value that is no object. */
export function noObject(value: unknown): AppError {
  const reason = `Failed to parse object: expecting token of type [START_OBJECT] but found [${jsonToken(value)}]`
  return new AppError(searchErrors.parsing_exception, reason)
}
