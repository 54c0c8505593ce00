import { z } from 'zod'
import type { ResolvedField } from '../../model/mapping.ts'
import { defineFieldType, type ParsedLeaf } from './define-field-type.ts'
import { illegalValue, readLeaf, textOf, tooLong } from './leaf.ts'
import { flag, indexingParameters, nullValue, wholeNumber } from './parameters.ts'

/** Longest term the index format of Elasticsearch holds, in UTF-8 bytes; longer ones are refused there, so here. */
const termBytesMax = 32_766

/** Whether anything of the field is kept but its place in the source: what becomes no term may be of any length. */
function isKept({ parameters }: ResolvedField): boolean {
  return parameters['index'] !== false || parameters['doc_values'] !== false || parameters['store'] === true
}

/** A text as the field's normalizer leaves it. */
export function normalize(text: string, field: ResolvedField): string {
  if (field.normal !== undefined) return field.normal(text)
  return field.parameters['normalizer'] === 'lowercase' ? text.toLowerCase() : text
}

function read(leaf: unknown, field: ResolvedField): ParsedLeaf | string {
  const text = textOf(leaf)
  const limit = field.parameters['ignore_above']
  if (typeof limit === 'number' && text.length > limit) return tooLong
  if (text.length * 3 > termBytesMax && isKept(field) && Buffer.byteLength(text) > termBytesMax)
    throw illegalValue(
      `Document contains at least one immense term in field="${field.path}" (whose UTF8 encoding is longer than the max length ${termBytesMax}), all of which were skipped. Please correct the analyzer to not produce such terms.`,
    )
  return normalize(text, field)
}

/** `keyword`: a text compared as a whole, sorted and aggregated. */
export const keywordField = defineFieldType({
  name: 'keyword',
  family: 'keyword',
  valueType: 'string',
  aggregatable: true,
  parameters: z.strictObject({
    ...indexingParameters,
    null_value: nullValue,
    ignore_above: wholeNumber.pipe(z.number().nonnegative()).optional(),
    normalizer: z.string().nullable().optional(),
    split_queries_on_whitespace: flag.optional(),
    eager_global_ordinals: flag.optional(),
    norms: flag.optional(),
    similarity: z.string().optional(),
    index_options: z.enum(['docs', 'freqs']).optional(),
  }),
  parse: readLeaf(read),
  queryValue: (given, field) => normalize(textOf(given), field),
  show: String,
})
