import { kqlToQuery, parseKql, type QueryClause } from '@logstack/kql'
import type { Field } from '../api/search.ts'
import { browserTimeZone } from '../time/interval.ts'
import type { ResolvedRange } from '../time/time-range.ts'
import type { FieldFilter } from '../url-state/field-filters.ts'

/** The languages a person writes queries in, by their names in saved objects. */
export type QueryLanguage = 'kuery' | 'lucene'

/** A query as saved objects hold it. */
export interface LanguageQuery {
  readonly language: string
  readonly query: unknown
}

/** The query DSL of a page: the time range and everything else it asks for, in filter context. Throws `kql_syntax`. */
export function buildQuery(parts: {
  readonly timeField?: string | undefined
  readonly range?: ResolvedRange | undefined
  readonly queries?: readonly (LanguageQuery | undefined)[]
  readonly filters?: readonly QueryClause[]
  readonly types?: ReadonlyMap<string, string>
}): QueryClause {
  const filter: QueryClause[] = []
  if (parts.timeField && parts.range) filter.push(timeClause(parts.timeField, parts.range))
  for (const query of parts.queries ?? []) {
    const clause = query ? languageClause(query, parts.types) : undefined
    if (clause) filter.push(clause)
  }
  filter.push(...(parts.filters ?? []))
  return filter.length === 0 ? { match_all: {} } : { bool: { filter } }
}

/** The clause of a time range. */
export function timeClause(field: string, range: ResolvedRange): QueryClause {
  return {
    range: {
      [field]: {
        gte: new Date(range.fromMs).toISOString(),
        lte: new Date(range.toMs).toISOString(),
        format: 'strict_date_optional_time',
      },
    },
  }
}

/** The clause of a KQL or Lucene query; undefined when it is empty. Old exports hold `{query_string: {query}}` or DSL in its place. */
export function languageClause(
  query: LanguageQuery,
  types: ReadonlyMap<string, string> = new Map(),
): QueryClause | undefined {
  if (typeof query.query === 'object' && query.query !== null) return query.query as QueryClause
  const text = typeof query.query === 'string' ? query.query.trim() : ''
  if (text === '' || text === '*') return undefined
  const timeZone = browserTimeZone()
  if (query.language === 'lucene') return { query_string: { query: text, analyze_wildcard: true, time_zone: timeZone } }
  return kqlToQuery(parseKql(text), { types, timeZone })
}

/** The clauses of filter pills; those that are disabled ask for nothing. */
export function pillClauses(filters: readonly FieldFilter[]): QueryClause[] {
  return filters.filter(({ disabled }) => !disabled).map(filterClause)
}

/** The clause of a filter pill. */
export function filterClause(filter: FieldFilter): QueryClause {
  const clause = positiveClause(filter)
  return filter.negate ? { bool: { must_not: [clause] } } : clause
}

function positiveClause({ field, value, values, range }: FieldFilter): QueryClause {
  if (value !== undefined) return { match_phrase: { [field]: value } }
  if (range) return { range: { [field]: range } }
  if (!values) return { exists: { field } }
  return { bool: { should: values.map((one) => ({ match_phrase: { [field]: one } })), minimum_should_match: 1 } }
}

/** Field types by name, as KQL wants them. */
export function typesOf(fields: readonly Field[]): Map<string, string> {
  return new Map(fields.map((field) => [field.name, field.type]))
}
