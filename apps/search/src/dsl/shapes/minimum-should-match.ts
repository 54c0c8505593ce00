import { AppError, searchErrors } from '@logstack/errors'

/**
 * How many of `clauses` optional clauses must match: `2`, `-1`, `75%`, `-25%`, or conditions `2<75% 9<-3` of which the last whose number is
 * below `clauses` holds (with none, all must match). May exceed `clauses`: then nothing matches.
 */
export function minimumShouldMatch(given: string | number | undefined, clauses: number, otherwise: number): number {
  if (given === undefined) return otherwise
  const text = String(given).trim()
  if (!text.includes('<')) return atLeastZero(plain(text, clauses))
  let needed = clauses
  for (const condition of text.split(/\s+/u)) {
    const [above = '', then = ''] = condition.split('<')
    if (!/^\d+$/u.test(above)) throw noNumber(text)
    if (clauses <= Number(above)) return atLeastZero(needed)
    needed = plain(then, clauses)
  }
  return atLeastZero(needed)
}

/** How many of the words of a text must match, by default one. A single word is no choice to Lucene, so of it nothing else can be asked. */
export function wordsToMatch(given: string | number | undefined, words: number): number {
  return words === 1 ? 1 : Math.max(1, minimumShouldMatch(given, words, 1))
}

function plain(text: string, clauses: number): number {
  const parts = /^([+-]?\d+)(%?)$/u.exec(text)
  if (!parts) throw noNumber(text)
  const amount = Number(parts[1])
  const count = parts[2] === '%' ? Math.trunc((clauses * amount) / 100) : amount
  return amount < 0 ? clauses + count : count
}

function noNumber(text: string): AppError {
  return new AppError(searchErrors.number_format_exception, `For input string: "${text}"`)
}

function atLeastZero(count: number): number {
  return Math.max(0, count)
}
