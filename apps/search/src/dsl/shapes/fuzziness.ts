import { AppError, searchErrors } from '@logstack/errors'
import { none, or, type Pattern, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { SearchableField } from './field-value.ts'
import { fieldOf } from './reporting.ts'

/** `fuzziness`: how many letters may differ, or `AUTO` by the word's length. Throws what Elasticsearch says of others. */
export const fuzziness = z.union([z.string(), z.number()]).transform(checkedFuzziness).optional()

const editsMax = 2

function checkedFuzziness(given: string | number): string | number {
  const text = String(given)
  if (/^auto(?::\d+,\d+)?$/iu.test(text)) return given
  if (/^auto:/iu.test(text))
    throw new AppError(searchErrors.parse_exception, 'failed to find low and high distance values')
  const edits = Number(text)
  if (text.trim() === '' || Number.isNaN(edits)) {
    const cause = new AppError(searchErrors.number_format_exception, `For input string: "${text.toUpperCase()}"`)
    throw illegalArgument(`fuzziness cannot be [${text}].`, cause)
  }
  if (edits < 0 || edits > editsMax)
    throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${Number.isInteger(edits) ? edits : text}]`)
  if (!Number.isInteger(edits)) throw illegalArgument(`fuzziness needs to be one of 0.0, 1.0 or 2.0 but was ${text}`)
  return given
}

/** How near a word must be. */
export interface Nearness {
  readonly fuzziness: string | number
  /** Letters at the beginning that must be the same. */
  readonly prefixLength?: number | undefined
  /** Whether two neighbours that change places are one edit; they are unless it is said. */
  readonly transpositions?: boolean | undefined
}

/** Edits that a word may have: 0, 1 or 2. Throws for what is no fuzziness. */
export function fuzzyEdits(given: string | number, word: string): number {
  const text = String(checkedFuzziness(given))
  const auto = /^auto(?::(\d+),(\d+))?$/iu.exec(text)
  if (auto) {
    const [low, high] = [Number(auto[1] ?? 3), Number(auto[2] ?? 6)]
    const { length } = [...word]
    return length < low ? 0 : length < high ? 1 : 2
  }
  return Number(text)
}

/** How much two texts differ takes the product of their lengths: a longer word is refused. */
const fuzzyLettersMax = 4_096

/** Documents with a word, of a text or as a whole value, near the given one. */
export function fuzzyPredicate(field: SearchableField, word: string, nearness: Nearness): Predicate {
  const edits = fuzzyEdits(nearness.fuzziness, word)
  if (edits === 0) {
    if (field.valueType === 'text') return { op: 'tokens', field: fieldOf(field), tokens: [word], count: 1 }
    return { op: 'equals', field: fieldOf(field), values: [word] }
  }
  if (word.length > fuzzyLettersMax)
    throw illegalArgument(
      `The length of the fuzzy value [${word.length}] exceeds the allowed maximum of [${fuzzyLettersMax}]`,
    )
  const pattern: Pattern = {
    kind: 'fuzzy',
    text: word,
    caseInsensitive: false,
    edits,
    prefixLength: nearness.prefixLength ?? 0,
    ...(nearness.transpositions === false ? { transpositions: false } : {}),
  }
  return { op: 'pattern', field: fieldOf(field), pattern }
}

/** At least `count` of the words of a text, each or one near it. */
export function fuzzyWords(
  field: SearchableField,
  words: readonly string[],
  count: number,
  nearness: Nearness,
): Predicate {
  const members = words.map((word) => fuzzyPredicate(field, word, nearness))
  if (members.length === 0) return none
  return count <= 1 ? or(members) : { op: 'at-least', count, of: members }
}
