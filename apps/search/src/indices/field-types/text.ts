import { z } from 'zod'
import type { ResolvedField } from '../../model/mapping.ts'
import { columnText } from '../../tokens/column-words.ts'
import { defineFieldType } from './define-field-type.ts'
import { readLeaf, textOf } from './leaf.ts'
import { commonParameters, flag, wholeNumber } from './parameters.ts'

const anything = z.unknown().optional()

/** A text as its column holds it: as written, or as the words of the field's own analyzer. */
export function columnTextOf(leaf: unknown, { words }: ResolvedField): string {
  return words === undefined ? textOf(leaf) : columnText(words.index, textOf(leaf))
}

/** `text`: analysed for search, not aggregatable. */
export const textField = defineFieldType({
  name: 'text',
  family: 'text',
  valueType: 'text',
  aggregatable: false,
  parameters: z.strictObject({
    ...commonParameters,
    index: flag.optional(),
    store: flag.optional(),
    norms: flag.optional(),
    fielddata: flag.optional(),
    eager_global_ordinals: flag.optional(),
    index_phrases: flag.optional(),
    analyzer: z.string().optional(),
    search_analyzer: z.string().optional(),
    search_quote_analyzer: z.string().optional(),
    similarity: z.string().optional(),
    term_vector: z.string().optional(),
    index_options: z.enum(['docs', 'freqs', 'positions', 'offsets']).optional(),
    index_prefixes: anything,
    fielddata_frequency_filter: anything,
    position_increment_gap: wholeNumber.optional(),
  }),
  contradiction(parameters, name) {
    if (parameters['index_phrases'] !== true) return undefined
    if (parameters['index'] === false) return `Cannot set index_phrases on unindexed field [${name}]`
    const positions = ['positions', 'offsets'].includes(String(parameters['index_options'] ?? 'positions'))
    return positions ? undefined : `Cannot set index_phrases on field [${name}] if positions are not enabled`
  },
  parse: readLeaf(columnTextOf),
  queryValue: textOf,
  show: String,
})
