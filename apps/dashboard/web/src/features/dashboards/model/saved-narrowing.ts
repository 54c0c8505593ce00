import type { QueryClause } from '@logstack/kql'
import { type Json, jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'
import { clausesOf } from './saved-filters.ts'
import { queriesOf } from './saved-queries.ts'

/** One thing that a dashboard was saved with and that leaves documents out: its query, or one of its filters. */
export interface SavedNarrowing {
  /** Its own within the dashboard: `q`, or the place of the filter. */
  readonly id: string
  /** As people read it: `not host.name: web-1`. */
  readonly label: string
  /** Whether it holds until somebody says otherwise. */
  readonly enabled: boolean
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
}

/** What a dashboard was saved with, from its search source. */
export function savedNarrowings(source: Json): SavedNarrowing[] {
  const queries = queriesOf(source['query'])
  const query = queries.map(({ query: words }) => ({
    id: 'q',
    label: typeof words === 'string' ? words.trim() : JSON.stringify(words),
    enabled: true,
    queries,
    filters: [],
  }))
  const filters = jsonArray(source['filter']).map((filter, at) => {
    const meta = jsonObject(filter['meta'])
    return {
      id: String(at),
      label: filterLabel(filter),
      enabled: meta['disabled'] !== true,
      queries: [],
      filters: clausesOf([{ ...filter, meta: { ...meta, disabled: false } }]),
    }
  })
  return [...query, ...filters].filter(
    ({ label, ...one }) => label !== '' && one.queries.length + one.filters.length > 0,
  )
}

/** Those that hold; `changed` are the ids of those that do not as they were saved. */
export function narrowingsInForce(
  saved: readonly SavedNarrowing[],
  changed: ReadonlySet<string>,
): { queries: LanguageQuery[]; filters: QueryClause[] } {
  const held = saved.filter(({ id, enabled }) => enabled !== changed.has(id))
  return { queries: held.flatMap(({ queries }) => queries), filters: held.flatMap(({ filters }) => filters) }
}

/** The ids in an address (`0,q`). */
export function readChanged(value: string | undefined): ReadonlySet<string> {
  return new Set((value ?? '').split(',').filter((id) => id !== ''))
}

/** The ids with one of them the other way; nothing for none. */
export function writeChanged(changed: ReadonlySet<string>, id: string): string | undefined {
  const next = changed.has(id) ? [...changed].filter((one) => one !== id) : [...changed, id]
  return next.length === 0 ? undefined : next.join(',')
}

/** A saved filter in words: its author's where there are some. */
function filterLabel(filter: Json): string {
  const meta = jsonObject(filter['meta'])
  const alias = text(meta['alias'])
  if (alias) return alias
  const words = positiveLabel(filter, meta)
  return meta['negate'] === true ? `not ${words}` : words
}

function positiveLabel(filter: Json, meta: Json): string {
  if (meta['type'] === 'combined') {
    const joint = meta['relation'] === 'OR' ? ' or ' : ' and '
    return `(${jsonArray(meta['params']).map(filterLabel).join(joint)})`
  }
  const { query, range, exists, bool } = filter
  const clause = query ?? { ...(range ? { range } : {}), ...(exists ? { exists } : {}), ...(bool ? { bool } : {}) }
  return clauseLabel(jsonObject(clause)) ?? JSON.stringify(clause)
}

/** A clause of the forms that filters are made in, in words. */
function clauseLabel(clause: Json): string | undefined {
  const [[kind = '', body] = []] = Object.entries(clause)
  const [[field = '', asked] = []] = Object.entries(jsonObject(body))
  const given = jsonObject(asked)
  switch (kind) {
    case 'match_phrase':
    case 'match':
    case 'term':
      return `${field}: ${String(given['query'] ?? given['value'] ?? asked)}`
    case 'exists':
      return `${String(jsonObject(body)['field'])} exists`
    case 'range':
      return `${field}: ${String(given['gte'] ?? given['gt'] ?? '')} – ${String(given['lte'] ?? given['lt'] ?? '')}`
    case 'bool': {
      const { should, ...others } = jsonObject(body)
      const parts = jsonArray(should).map(clauseLabel)
      const isChoice = parts.length > 0 && Object.keys(others).every((name) => name === 'minimum_should_match')
      return isChoice && parts.every((part) => part !== undefined) ? parts.join(' or ') : undefined
    }
    default:
      return undefined
  }
}
