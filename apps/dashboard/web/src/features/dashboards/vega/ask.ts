import type { QueryClause } from '@logstack/kql'
import { type Json, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { buildQuery, timeClause } from '../../../query/build-query.ts'
import { intervalOf } from '../../../time/interval.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'
import type { DashboardContext } from '../model/panel.ts'

/** A search that a specification asks. */
export interface VegaQuestion {
  readonly index: string
  readonly body: Json
}

type Shared = Pick<DashboardContext, 'range' | 'queries' | 'filters'>

/** The search that Kibana's `url` of a data set means, with what the dashboard asks for where it says so. Throws what it cannot mean, in words. */
export function vegaQuestion(url: Json, context: Shared, types: ReadonlyMap<string, string>): VegaQuestion {
  const index = text(url['index'])
  if (index === undefined) throw new Error('A url of this specification names no index')
  const timeField = text(url['%timefield%'])
  const isInContext = url['%context%'] === true || url['%context%'] === 'true'
  const saved = jsonObject(url['body'])
  if (isInContext && saved['query'] !== undefined)
    throw new Error('url.%context% and url.body.query cannot both be set')
  const asked = buildQuery({
    timeField,
    range: context.range,
    queries: isInContext ? context.queries : [],
    filters: isInContext ? context.filters : [],
    types,
  })
  const clauses = dashboardClauses(context, types)
  const body = filled(saved, { range: context.range, timeField, clauses }) as Json
  const isAsked = isInContext || (timeField !== undefined && saved['query'] === undefined)
  return { index, body: isAsked ? { ...body, query: asked } : body }
}

function dashboardClauses({ queries, filters }: Shared, types: ReadonlyMap<string, string>): QueryClause[] {
  const query = buildQuery({ queries, filters, types })
  return 'match_all' in query ? [] : [query]
}

interface Words {
  readonly range: ResolvedRange
  readonly timeField: string | undefined
  readonly clauses: readonly QueryClause[]
}

const barsWanted = 50

/** Puts the dashboard's range and clauses in the place of Kibana's words. */
function filled(value: unknown, words: Words): unknown {
  if (Array.isArray(value))
    return (value as readonly unknown[]).flatMap((item): readonly unknown[] =>
      isClauseWord(item) ? clausesFor(item, words) : [filled(item, words)],
    )
  if (typeof value !== 'object' || value === null) return value
  const object = value as Json
  if (object['%timefilter%'] !== undefined) return timeOf(object, words)
  if (object['%autointerval%'] !== undefined) return autoInterval(object['%autointerval%'], words.range)
  return Object.fromEntries(
    Object.entries(object).map(([key, held]) => [
      key,
      isClauseWord(held) ? clausesFor(held, words) : filled(held, words),
    ]),
  )
}

function isClauseWord(value: unknown): value is string {
  return typeof value === 'string' && /^%dashboard_context-(must|filter|must_not)_clause%$/.test(value)
}

/** All that the dashboard asks for is one clause, which stands wherever documents must match: which of the places is used differs. */
function clausesFor(word: string, { clauses }: Words): readonly QueryClause[] {
  return word.includes('-must_not_') ? [] : clauses
}

function timeOf(object: Json, { range, timeField }: Words): unknown {
  const shift = (number(object['shift']) ?? 0) * intervalOf(`1${unitOf(object['unit'])}`, 0).ms
  const moved = { fromMs: range.fromMs + shift, toMs: range.toMs + shift }
  if (object['%timefilter%'] === 'min') return moved.fromMs
  if (object['%timefilter%'] === 'max') return moved.toMs
  if (timeField === undefined) throw new Error('%timefilter% needs %timefield%')
  return timeClause(timeField, { ...range, ...moved })
}

function unitOf(unit: unknown): string {
  const letters = { w: 'w', d: 'd', h: 'h', m: 'm', s: 's' } as const
  const found = Object.entries(letters).find(([letter]) => text(unit)?.startsWith(letter))
  return found?.[1] ?? 'd'
}

function autoInterval(bars: unknown, { fromMs, toMs }: ResolvedRange): string {
  const wanted = typeof bars === 'number' && bars > 0 ? bars : barsWanted
  const leastMs = Math.max(1, (toMs - fromMs) / wanted)
  const steps = [1e3, 5e3, 1e4, 3e4, 6e4, 3e5, 6e5, 18e5, 36e5, 108e5, 432e5, 864e5, 6048e5, 2592e6]
  return `${Math.round((steps.find((step) => step >= leastMs) ?? 31536e6) / 1000)}s`
}
