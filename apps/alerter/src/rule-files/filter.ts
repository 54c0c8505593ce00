import { kqlToQuery, parseKql } from '@logstack/kql'
import { z } from 'zod'

/** ElastAlert filters whose languages the alerter does not speak. */
const otherLanguages = ['eql', 'esql']

/**
 * One filter of a rule: a clause of the query DSL, `query:` around one (ElastAlert takes it away again), or KQL as `kql: TEXT`, `kuery: TEXT` or
 * Kibana's `{language: kuery, query: TEXT}`. Parsed to the bare clause.
 */
export const clauseSchema = z.record(z.string(), z.unknown()).transform((clause, context) => {
  const bare = unwrapped(clause)
  const kql = kqlOf(bare)
  if (kql !== undefined) {
    try {
      return kqlToQuery(parseKql(kql)) as Record<string, unknown>
    } catch (thrown) {
      context.addIssue(`this is no KQL: ${thrown instanceof Error ? thrown.message : 'unreadable'}`)
      return bare
    }
  }
  const names = Object.keys(bare)
  const [name] = names
  if (name === undefined || names.length !== 1) {
    context.addIssue(`a filter holds one clause, found ${names.length === 0 ? 'none' : names.join(', ')}`)
  } else if (otherLanguages.includes(name)) {
    context.addIssue(`${name} filters are not supported; use the query DSL, query_string or kql`)
  }
  return bare
})

function unwrapped(clause: Record<string, unknown>): Record<string, unknown> {
  const inner = clause['query']
  const isWrapped =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(clause).length === 1
  return isWrapped ? unwrapped(inner as Record<string, unknown>) : clause
}

function kqlOf(clause: Readonly<Record<string, unknown>>): string | undefined {
  const { language, query, kql, kuery, ...rest } = clause
  if (Object.keys(rest).length > 0) return undefined
  const text = kql ?? kuery ?? (language === 'kuery' || language === 'kql' ? query : undefined)
  return typeof text === 'string' ? text : undefined
}
