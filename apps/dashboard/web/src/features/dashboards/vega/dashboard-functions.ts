import { expressionFunction, type View } from 'vega'
import { type Json, jsonObject } from '../../../kibana/saved-json.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { DashboardContext } from '../model/panel.ts'

/** What a specification may do to the dashboard that it stands on. */
type DashboardActs = Pick<DashboardContext, 'onFilter' | 'onZoom'>

const actsOfViews = new WeakMap<View, DashboardActs>()

/** Lets the specification of a view call Kibana's functions. */
export function letAct(view: View, acts: DashboardActs): void {
  actsOfViews.set(view, acts)
}

/** The filter that a clause of the query DSL is, which may be wrapped in `query`; undefined of clauses that no pill can show. */
export function filterOf(clause: unknown): FieldFilter | undefined {
  const [kind, body] = only(jsonObject(jsonObject(clause)['query'] ?? clause))
  if (kind === 'exists') {
    const field = jsonObject(body)['field']
    return typeof field === 'string' ? { field } : undefined
  }
  const [field, given] = only(jsonObject(body))
  if (field === undefined) return undefined
  if (kind === 'terms') return Array.isArray(given) && given.every(isScalar) ? { field, values: given } : undefined
  if (kind === 'range') return rangeOf(field, jsonObject(given))
  if (kind !== 'match' && kind !== 'match_phrase' && kind !== 'term') return undefined
  const value = isScalar(given) ? given : jsonObject(given)[kind === 'term' ? 'value' : 'query']
  return isScalar(value) ? { field, value } : undefined
}

function only(object: Json): [string, unknown] | [] {
  const [first, second] = Object.entries(object)
  return first && !second ? first : []
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function rangeOf(field: string, { gte, lte, ...others }: Json): FieldFilter | undefined {
  if (Object.keys(others).length > 0 || (gte === undefined && lte === undefined)) return undefined
  if (!isEnd(gte) || !isEnd(lte)) return undefined
  return { field, range: { ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) } }
}

function isEnd(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number'
}

function addFilter({ onFilter }: DashboardActs, clause: unknown): void {
  const filter = filterOf(clause)
  if (!filter) throw new Error(`No filter can be made of ${JSON.stringify(clause)}`)
  onFilter(filter)
}

function setTimeFilter({ onZoom }: DashboardActs, from: unknown, to: unknown): void {
  const [fromMs, toMs] = [from, to].map((moment) => new Date(moment as string | number).getTime())
  if (!(Number(fromMs) < Number(toMs))) throw new Error(`No range of time lies between ${from} and ${to}`)
  onZoom(Number(fromMs), Number(toMs))
}

function notHere(): void {
  throw new Error('A specification cannot take filters away')
}

const functions = {
  AddFilter: addFilter,
  RemoveFilter: notHere,
  RemoveAllFilters: notHere,
  SetTimeFilter: setTimeFilter,
}

// OpenSearch Dashboards has the same under its own name.
for (const prefix of ['kibana', 'opensearchDashboards']) {
  for (const [name, act] of Object.entries(functions)) {
    expressionFunction(
      `${prefix}${name}`,
      function called(this: { readonly context: { readonly dataflow: View } }, ...given: unknown[]): boolean {
        const acts = actsOfViews.get(this.context.dataflow)
        if (acts) (act as (acts: DashboardActs, ...given: unknown[]) => void)(acts, ...given)
        return true
      },
    )
  }
}
