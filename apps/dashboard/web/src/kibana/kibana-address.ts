import { writeFilters } from '../url-state/field-filters.ts'
import { fieldFilterOf } from './field-filter.ts'
import { looksLikeKibana } from './looks-like-kibana.ts'
import { readRison } from './rison.ts'
import { jsonArray, jsonObject, text, texts } from './saved-json.ts'

// Kibana's pages, and which page here does the same. What a page of Kibana has in its fragment is read besides.
const pages: readonly (readonly [path: RegExp, own: string])[] = [
  [/^\/app\/dashboards?\b/, '/app/dashboards'],
  [/^\/app\/discover\b/, '/app/discover'],
  [/^\/app\/(visualize|lens)\b/, '/app/dashboards'],
  [/^\/app\/security\/(alerts|detections|overview)\b/, '/app/alerts'],
  [/^\/app\/security\/rules\b/, '/app/rules'],
  [/^\/app\/(fleet|security\/(hosts|administration))\b/, '/app/agents'],
  [/^\/app\/(monitoring|status)\b/, '/app/health'],
  [/^\/app\/management\/kibana\/objects\b/, '/app/management/saved-objects'],
  [/^\/app\/management\/kibana\/(dataViews|indexPatterns)\b/, '/app/management/index-patterns'],
  [/^\/app\/management\/data\/index_management\/data_streams\b/, '/app/management/data-streams'],
  [/^\/app\/management\/data\/index_management\b/, '/app/management/indices'],
  [/^\/app\/management\/data\/index_lifecycle_management\b/, '/app/management/lifecycle'],
  [/^\/app\/management\/ingest\/ingest_pipelines\b/, '/app/management/pipelines'],
  [/^\/app\/management\/security\/users\b/, '/app/management/users'],
  [/^\/app\/management\/security\/roles\b/, '/app/management/roles'],
  [/^\/app\/management\/security\/api_keys\b/, '/app/management/api-keys'],
  [/^\/app\/(home|kibana|enterprise_search|observability)\b/, '/app/discover'],
]

/**
 * The address here of what a bookmark, a mail or a text of Kibana points at, below the prefix of the product: `/app/dashboards/ID?from=…`.
 * `path` and `hash` are those of its address. Undefined for an address that is not Kibana's.
 */
export function ownAddress(path: string, hash: string): string | undefined {
  if (!looksLikeKibana(path, hash)) return undefined
  const [route = '', search = ''] = hash.replace(/^#/, '').split('?', 2)
  const bare = path.replace(/^\/s\/[^/]+/, '')
  // Dashboards of older exports name each other by the fragment alone.
  const [, kind, id] = /^\/(dashboard|discover|view)s?\/([^/]+)/.exec(route) ?? []
  const page = pages.find(([pattern]) => pattern.test(bare))?.[1] ?? '/app/dashboards'
  const parameters = stateOf(new URLSearchParams(search))
  if (id === undefined) return withSearch(routePage(route) ?? page, parameters)
  if (kind === 'discover' || (kind === 'view' && page === '/app/discover')) {
    parameters.set('saved', id)
    return withSearch('/app/discover', parameters)
  }
  return withSearch(`/app/dashboards/${id}`, parameters)
}

/** A page that the fragment names: `#/discover`, `#/dashboards`. */
function routePage(route: string): string | undefined {
  const [, name] = /^\/(discover|dashboard|management|dev_tools)/.exec(route) ?? []
  return name === undefined ? undefined : `/app/${name === 'dashboard' ? 'dashboards' : name}`
}

function withSearch(path: string, parameters: URLSearchParams): string {
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/** The state of Kibana's address (`_g` of all pages, `_a` of this one) in the parameters of ours. */
function stateOf(kibana: URLSearchParams): URLSearchParams {
  const [shared, own] = ['_g', '_a'].map((name) => jsonObject(readRison(kibana.get(name) ?? '')))
  const time = jsonObject(shared?.['time'])
  const refresh = jsonObject(shared?.['refreshInterval'])
  const query = jsonObject(own?.['query'])
  const esql = text(query['esql'])
  const filters = [...jsonArray(shared?.['filters']), ...jsonArray(own?.['filters'])].flatMap(
    (filter) => fieldFilterOf(filter) ?? [],
  )
  const [sort] = Array.isArray(own?.['sort'])
    ? own['sort'].map((one) => texts(Array.isArray(one) ? one : own['sort']))
    : []
  const source = text(own?.['index']) ?? text(jsonObject(own?.['dataSource'])['dataViewId'])
  const parameters = new URLSearchParams()
  for (const [name, value] of [
    ['from', text(time['from'])],
    ['to', text(time['to'])],
    ['refresh', refresh['pause'] === false && refresh['value'] ? String(refresh['value']) : undefined],
    ['query', esql ?? text(query['query'])],
    ['language', esql === undefined ? (query['language'] === 'lucene' ? 'lucene' : undefined) : 'esql'],
    ['filters', writeFilters(filters)],
    ['index', source],
    ['columns', texts(own?.['columns']).join(',')],
    ['sort', sort?.length === 2 ? sort.join(':') : undefined],
  ] as const) {
    if (value) parameters.set(name, value)
  }
  return parameters
}
