import { z } from 'zod'
import type { FieldMapping } from '../../model/mapping.ts'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { commonParameters, flag, wholeNumber } from './parameters.ts'
import { columnTextOf } from './text.ts'

/** Words of one gram at most, where the mapping does not say it. */
const shingleSizeDefault = 3

/** `search_as_you_type`: a text that also has its words two and three at a time, and the beginnings of them. */
export const searchAsYouTypeField = defineFieldType({
  name: 'search_as_you_type',
  family: 'search_as_you_type',
  valueType: 'text',
  aggregatable: false,
  parameters: z.strictObject({
    ...commonParameters,
    max_shingle_size: wholeNumber.pipe(z.number().min(2).max(4)).optional(),
    index: flag.optional(),
    store: flag.optional(),
    norms: flag.optional(),
    analyzer: z.string().optional(),
    search_analyzer: z.string().optional(),
    search_quote_analyzer: z.string().optional(),
    similarity: z.string().optional(),
    term_vector: z.string().optional(),
    index_options: z.enum(['docs', 'freqs', 'positions', 'offsets']).optional(),
  }),
  parse: readLeaf(columnTextOf),
  queryValue: textOf,
  show: String,
})

/** The fields that such a field has below it: `_2gram`, `_3gram`, …, `_index_prefix`. */
export function gramFields({ max_shingle_size: given, analyzer }: FieldMapping): Record<string, FieldMapping> {
  const most = typeof given === 'number' ? given : shingleSizeDefault
  const parameters = analyzer === undefined ? {} : { analyzer }
  const fields: Record<string, FieldMapping> = {}
  for (let size = 2; size <= most; size++)
    fields[`_${size}gram`] = { type: 'search_as_you_type', ...parameters, [gramSize]: size }
  fields['_index_prefix'] = { type: 'search_as_you_type', ...parameters, [gramSize]: most, [gramPrefixes]: true }
  return fields
}

/** Parameters that only fields below one have: how many words a gram has, and whether its beginnings count. */
export const gramSize = '_gram_size'
export const gramPrefixes = '_gram_prefixes'
