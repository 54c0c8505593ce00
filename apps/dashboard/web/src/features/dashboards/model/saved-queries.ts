import { jsonObject, text } from '../../../kibana/saved-json.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'

/** A saved query as a list of none or one. */
export function queriesOf(value: unknown): LanguageQuery[] {
  const query = jsonObject(value)
  const old = jsonObject(query['query_string'])['query']
  if (typeof old === 'string') return [{ language: 'lucene', query: old }]
  return query['query'] === undefined || query['query'] === ''
    ? []
    : [{ language: text(query['language']) ?? 'kuery', query: query['query'] }]
}
