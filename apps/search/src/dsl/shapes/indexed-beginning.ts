import type { Pattern, Predicate } from '@logstack/rules'
import { beginningLengthMax } from '../../analysis/word-rows.ts'
import { gramPrefixes, gramSize } from '../../indices/field-types/search-as-you-type.ts'
import { decodeWord, encodeWord, isGap, type Place } from '../../tokens/column-words.ts'
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
  if (!isTyped(field, context) || text === '' || text.length > beginningLengthMax) return undefined
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

/**
 * Words side by side in a `search_as_you_type` field: the one word that they are in its rows of so many words, or of those the beginning. Undefined where it has
 * no such rows: of other fields, of single words, and of more than the mapping says.
 */
export function indexedRow(
  field: SearchableField,
  places: readonly Place[],
  prefix: boolean,
  context: LowerContext,
): Predicate | undefined {
  if (!isTyped(field, context) || field.parameters[gramSize] !== undefined || places.length < 2) return undefined
  if (places.some((place) => isGap(place) || place.length > 1 || place[0]?.length !== 1)) return undefined
  const words = places.flat(2)
  const text = (field.words === undefined ? words : words.map(decodeWord)).join(' ')
  if (prefix && text.length > beginningLengthMax) return undefined
  const isKept = context.field(`${field.path}._${places.length}gram`)
  const among = prefix ? isKept && context.field(`${field.path}._index_prefix`) : isKept
  return among && termPredicate(searchable(among), text, context)
}

/** What objects of `nested` fields hold is looked for in their JSON, where there are no rows of words. */
function isTyped({ wireType }: SearchableField, context: LowerContext): boolean {
  return wireType === 'search_as_you_type' && context.inside() === ''
}
