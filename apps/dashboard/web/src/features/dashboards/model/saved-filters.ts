import type { QueryClause } from '@logstack/kql'
import { type Json, jsonArray, jsonObject } from '../../../kibana/saved-json.ts'

/** The clauses of saved filter pills; disabled ones are left out, negated ones are turned. */
export function clausesOf(filters: unknown): QueryClause[] {
  return jsonArray(filters).flatMap((filter) => {
    const meta = jsonObject(filter['meta'])
    if (meta['disabled'] === true) return []
    const clause = clauseOf(filter, meta)
    if (!clause) return []
    return [meta['negate'] === true ? { bool: { must_not: [clause] } } : clause]
  })
}

function clauseOf(filter: Json, meta: Json): QueryClause | undefined {
  if (meta['type'] === 'combined') {
    const clauses = clausesOf(meta['params'])
    return meta['relation'] === 'OR'
      ? { bool: { should: clauses, minimum_should_match: 1 } }
      : { bool: { filter: clauses } }
  }
  const query = jsonObject(filter['query'])
  if (Object.keys(query).length > 0) return upgradePhrase(query)
  for (const kind of ['range', 'exists', 'bool']) if (filter[kind] !== undefined) return { [kind]: filter[kind] }
  return undefined
}

// Kibana 5 wrote `{match: {field: {query, type: "phrase"}}}`, which Elasticsearch refuses today.
function upgradePhrase(query: Json): QueryClause {
  const [field, body] = Object.entries(jsonObject(query['match']))[0] ?? []
  const phrase = jsonObject(body)
  return field !== undefined && phrase['type'] === 'phrase' ? { match_phrase: { [field]: phrase['query'] } } : query
}
