import { messageOf } from '@logstack/errors'
import { kqlToQuery, parseKql } from '@logstack/kql'
import { z } from 'zod'
import { type LanguageQuery, readEqlFilter, readEsqlFilter } from './language-query.ts'

type Clause = Readonly<Record<string, unknown>>

/** The filter of a rule: clauses of the query DSL that an event must all match, and a query in another language that must find it. */
export interface RuleFilter {
  readonly clauses: readonly Clause[]
  readonly query?: LanguageQuery
}

/** Languages that are asked beside the query DSL. */
const otherLanguages = new Map([
  ['eql', { name: 'EQL', read: readEqlFilter }],
  ['esql', { name: 'ES|QL', read: readEsqlFilter }],
])

/**
 * One clause of the query DSL, `query:` around one (ElastAlert takes it away again), or KQL as `kql: TEXT`, `kuery: TEXT` or
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
  } else if (otherLanguages.has(name)) {
    context.addIssue(`${name} can stand in the filter of a rule only; use the query DSL, query_string or kql`)
  }
  return bare
})

/** One filter of a rule: a clause, or a query as `eql: TEXT` or `esql: TEXT`. */
const entrySchema = z.record(z.string(), z.unknown()).transform((entry, context): RuleFilter => {
  const bare = unwrapped(entry)
  const [name = '', ...more] = Object.keys(bare)
  const language = more.length === 0 ? otherLanguages.get(name) : undefined
  if (language) {
    const path = bare === entry ? [name] : []
    try {
      return { clauses: [], query: language.read(z.string(`${name} takes the text of a query`).parse(bare[name])) }
    } catch (thrown) {
      const why = thrown instanceof z.ZodError ? thrown.issues[0]?.message : messageOf(thrown)
      context.addIssue({ code: 'custom', path, message: `this is no ${language.name} for a filter: ${why}` })
      return { clauses: [] }
    }
  }
  const clause = clauseSchema.safeParse(entry)
  if (clause.success) return { clauses: [clause.data] }
  for (const { message, path } of clause.error.issues) context.addIssue({ code: 'custom', path: [...path], message })
  return { clauses: [] }
})

/** What a rule file says as `filter`: one, a list of them, or nothing. */
export const filterSchema = z
  .union([z.array(entrySchema), entrySchema.transform((one) => [one])])
  .nullable()
  .default([])
  .transform((entries, context): RuleFilter => {
    const queries = (entries ?? []).flatMap(({ query }) => query ?? [])
    if (queries.length > 1)
      context.addIssue(`a rule takes one query in EQL or ES|QL, found ${queries.length}; join them by and, or or`)
    const [query] = queries
    return { clauses: (entries ?? []).flatMap(({ clauses }) => clauses), ...(query ? { query } : {}) }
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
