import { equationIn, type KqlSlip, parseKql, slipsOf } from '@logstack/kql'
import type { Field } from '../api/search.ts'
import type { QueryLanguage } from './build-query.ts'
import { messages } from './messages.ts'

/** A type that no field has: nothing is known for sure where indices disagree. */
const conflict = 'conflict'
const lowerCaseOperator = /\S\s+(?:and|or|not)\s+\S/u

/** What is told under the query bar of a query that was sent: what in it finds nothing, or means something else than it looks like. */
export function hintsOf(query: string, language: QueryLanguage, fields: readonly Field[]): string[] {
  if (language === 'lucene') {
    const isMeant = lowerCaseOperator.test(query.replaceAll(/"(?:[^"\\]|\\.)*"|\/(?:[^/\\]|\\.)*\//gu, '""'))
    return isMeant ? [messages.hints.luceneOperators] : []
  }
  const types = new Map(fields.map(({ name, type, conflicting }) => [name, conflicting ? conflict : type]))
  try {
    return slipsOf(parseKql(query), types).map(wordsOf)
  } catch {
    // What cannot be read is said as an error.
    return []
  }
}

/** What may be wrong with a KQL text that cannot be read, besides what stands where; empty when nothing is known. */
export function unreadableHint(text: string): string {
  const slip = equationIn(text)
  return slip ? `. ${wordsOf(slip)}` : ''
}

function wordsOf(slip: KqlSlip): string {
  const { hints } = messages
  switch (slip.kind) {
    case 'unknown-field':
      return hints.unknownField(slip.field, slip.near)
    case 'group':
      return hints.group(slip.field, slip.member)
    case 'equals':
      return hints.equals(slip.write)
    case 'single-quotes':
      return hints.singleQuotes(slip.write)
    case 'star-in-quotes':
      return hints.starInQuotes(slip.write)
    case 'spaced-wildcard':
      return hints.spacedWildcard(slip.field, slip.write)
  }
}
