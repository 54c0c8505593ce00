import type { Pattern, Predicate } from '@logstack/rules'
import { encodeWord } from '../../analysis/column-words.ts'
import { beginningLengthMax } from '../../analysis/word-rows.ts'
import { gramPrefixes } from '../../indices/field-types/search-as-you-type.ts'
import type { LowerContext } from '../define-query.ts'
import { type SearchableField, searchable } from './field-value.ts'
import { fieldOf } from './reporting.ts'
import { termPredicate } from './term.ts'

/**
 * The start of a word, or of several in a row, of a `search_as_you_type` field: its `_index_prefix` holds it as a word. Undefined for other fields, and for
 * beginnings that are longer than those kept.
 */
export function indexedBeginning(
  field: SearchableField,
  { text, caseInsensitive }: Pattern,
  context: LowerContext,
): Predicate | undefined {
  if (field.wireType !== 'search_as_you_type' || text === '' || text.length > beginningLengthMax) return undefined
  if (field.parameters[gramPrefixes] === true) return termPredicate(field, text, context, caseInsensitive)
  const beginnings = context.field(`${field.path.replace(/\._\dgram$/u, '')}._index_prefix`)
  if (!beginnings) return undefined
  const among = searchable(beginnings)
  if (caseInsensitive) return termPredicate(among, text, context, true)
  // A pattern without a wildcard: starts of words are worth the same, however rare they are.
  return {
    op: 'pattern',
    field: fieldOf(among),
    pattern: { kind: 'wildcard', text: encodeWord(text), caseInsensitive },
  }
}
