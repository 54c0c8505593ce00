import { AppError, searchErrors } from '@logstack/errors'
import type { Predicate } from '@logstack/rules'
import type { ResolvedField } from '../model/mapping.ts'
import { queryShardError } from '../refusals/refuse.ts'

const forbidden = "cannot be executed when 'search.allow_expensive_queries' is set to false."
const scopes: Readonly<Record<string, string>> = { range: ' on [text] or [keyword] fields' }
const hints: Readonly<Record<string, string>> = {
  prefix: ' For optimised prefix queries on text fields please enable [index_prefixes].',
}

/** The refusal of a kind of clauses, in Elasticsearch's words, where `search.allow_expensive_queries` is false. */
export function expensiveClause(kind: string, indexName: string): AppError {
  const reason = `[${kind}] queries${scopes[kind] ?? ''} ${forbidden}${hints[kind] ?? ''}`
  return queryShardError(indexName, new AppError(searchErrors.exception, reason))
}

/** Refuses what a query comes to where that is dear: patterns, but on fields that are made for them, and ranges of texts. */
export function refuseExpensive(
  predicate: Predicate,
  fields: ReadonlyMap<string, ResolvedField>,
  indexName: string,
): void {
  switch (predicate.op) {
    case 'and':
    case 'or':
    case 'at-least':
      for (const member of predicate.of) refuseExpensive(member, fields, indexName)
      return
    case 'nested':
    case 'not':
      refuseExpensive(predicate.of, fields, indexName)
      return
    case 'pattern':
      if (fields.get(predicate.field.path)?.wireType === 'wildcard') return
      throw expensiveClause(predicate.pattern.kind, indexName)
    case 'range':
      if (fields.get(predicate.field.path)?.wireType !== 'keyword') return
      throw expensiveClause('range', indexName)
    default:
  }
}
