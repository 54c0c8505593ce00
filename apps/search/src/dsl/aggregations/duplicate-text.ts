import { illegalArgument } from '../../refusals/refuse.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import type { RowSource } from '../define-aggregation.ts'

/** Words in a row that make a sequence: what repeats that many is copied text. */
const sequenceWords = 6

/**
 * Leaves of each row the words that stand in no sequence of six that was seen before in the sample, in an earlier row or earlier in the same one.
 * `words`: an expression of all words of a row in order, repeated ones too. The sample are the rows of `source`.
 */
export function withoutRepeats(words: Sql, source: RowSource): Sql {
  const arrival = source.arrival?.()
  if (!arrival) throw illegalArgument('[filter_duplicate_text] is not supported within [nested]')
  // Each lambda over a list of one names an expression, so that it is said and worked out once.
  const sequences = sql`arrayMap(at -> sipHash64(arrayStringConcat(arraySlice(wordlist, at, ${num(sequenceWords)}), '\\n')), range(1, greatest(1, toInt32(length(wordlist)) - ${num(sequenceWords - 2)})))`
  const listed = sql`arrayMap(wordlist -> ${sequences}, [${words}])[1]`
  const places = sql`SELECT ${arrival} AS arrived, arrayJoin(arrayMap((hashed, at) -> (hashed, at), ${listed}, arrayEnumerate(${listed}))) AS place FROM (${source.select(sql`${arrival} ${words}`)})`
  const repeated = sql`SELECT place.1 AS hashed, min((arrived, place.2)) AS first FROM (${places}) GROUP BY hashed HAVING count() > 1`
  const isRepeat = sql`hashed IN (SELECT hashed FROM (${repeated})) AND (hashed, ${arrival}, at) NOT IN (SELECT hashed, first.1, first.2 FROM (${repeated}))`
  const repeats = sql`arrayMap((hashed, at) -> ${isRepeat}, ${sequences}, arrayEnumerate(${sequences}))`
  const first = sql`greatest(1, at - ${num(sequenceWords - 1)})`
  const kept = sql`arrayFilter((word, at) -> NOT arrayExists(flag -> flag, arraySlice(repeats, ${first}, at - ${first} + 1)), wordlist, arrayEnumerate(wordlist))`
  return sql`arrayMap(wordlist -> arrayMap(repeats -> ${kept}, [${repeats}])[1], [${words}])[1]`
}
