import type { LanguageQuery } from '../../../query/build-query.ts'
import type { TimeRange } from '../../../time/time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { ObjectMap } from './objects.ts'
import { type EsqlRequest, isEsql, type PanelRequest, type TableRequest } from './table.ts'

interface Surroundings {
  readonly objects: ObjectMap
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly unknown[]
  readonly pills: readonly FieldFilter[]
  readonly address: { readonly range: TimeRange }
}

/** The parameters with which Discover shows the documents of a panel; undefined where it cannot say just them (Lucene, filters in DSL). */
export function discoverParameters(request: PanelRequest, context: Surroundings): URLSearchParams | undefined {
  return isEsql(request) ? esqlParameters(request, context) : fieldParameters(request, context)
}

function isPlainly({ filters }: PanelRequest, context: Surroundings): boolean {
  return filters.length === 0 && context.filters.length === context.pills.filter(({ disabled }) => !disabled).length
}

/** In ES|QL Discover has no query bar besides. */
function esqlParameters(request: EsqlRequest, context: Surroundings): URLSearchParams | undefined {
  const queries = [...context.queries, ...request.queries]
  if (!isPlainly(request, context) || queries.some(({ query }) => query !== '')) return undefined
  const { from, to } = context.address.range
  const parameters = new URLSearchParams({ language: 'esql', query: request.esql, from, to })
  if (context.pills.length > 0) parameters.set('filters', JSON.stringify(context.pills))
  return parameters
}

function fieldParameters(request: TableRequest, context: Surroundings): URLSearchParams | undefined {
  const isPlain = isPlainly(request, context)
  const texts = [...context.queries, ...request.queries]
    .filter(({ query }) => query !== '')
    .map(({ language, query }) => (language === 'kuery' && typeof query === 'string' ? query.trim() : undefined))
  const known = texts.filter((query) => query !== undefined && query !== '')
  if (!isPlain || request.alone || texts.includes(undefined)) return undefined
  const pattern = [...context.objects.values()].find(
    ({ type, attributes }) => type === 'index-pattern' && attributes['title'] === request.index,
  )
  if (!pattern) return undefined
  const { from, to } = context.address.range
  const parameters = new URLSearchParams({ index: pattern.id, from, to })
  if (known.length > 0)
    parameters.set('query', known.length === 1 ? (known[0] ?? '') : known.map((one) => `(${one})`).join(' and '))
  if (context.pills.length > 0) parameters.set('filters', JSON.stringify(context.pills))
  return parameters
}
