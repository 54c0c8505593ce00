import { all, compilePattern, luceneRegexp, none, type Pattern, type Predicate } from '@logstack/rules'
import type { LowerContext } from '../define-query.ts'
import { searchable } from './field-value.ts'
import { illegalArgument } from './refuse.ts'
import { fieldOf } from './term.ts'

const clauseNames = { prefix: 'prefix', wildcard: 'wildcard', regexp: 'regexp' } as const

/** A pattern on a field of strings or text; other types refuse it as Elasticsearch does. Regular expressions are checked here. */
export function patternPredicate(path: string, pattern: Pattern, context: LowerContext): Predicate {
  if (pattern.kind === 'regexp') {
    const read = luceneRegexp(pattern.text)
    if ('error' in read) throw illegalArgument(`failed to parse regexp [${pattern.text}]: ${read.error}`)
  }
  if (path === '_index') return compilePattern(pattern)(context.indexName) ? all : none
  const resolved = context.field(path)
  if (!resolved) return none
  const field = searchable(resolved)
  if (field.valueType !== 'string' && field.valueType !== 'text')
    throw illegalArgument(
      `Can only use ${clauseNames[pattern.kind]} queries on keyword, text and wildcard fields - not on [${path}] which is of type [${field.wireType}]`,
    )
  return { op: 'pattern', field: fieldOf(field), pattern }
}
