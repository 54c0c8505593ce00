import { AppError, searchErrors } from '@logstack/errors'
import { checkWatermarks } from '../documents/watermarks.ts'
import { checkRetentionSchedule } from '../slm/schedule.ts'
import { defineRoute, type Route } from './define-route.ts'
import { isObject, objectBody } from './read-request.ts'
import { clusterName } from './root.ts'
import { nameMatcher, nestedSettings } from './show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

type ClusterSettings = Readonly<Record<string, unknown>>

function flatten(given: ClusterSettings, prefix = ''): [string, string | null][] {
  return Object.entries(given).flatMap(([key, value]): [string, string | null][] =>
    isObject(value) ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value === null ? null : String(value)]],
  )
}

// What clients may store; few of these steer anything here (`docs/compatibility.md`), and what is unknown is refused rather than believed.
const knownClusterSetting =
  /^(cluster|indices|search|ingest|logger|action|xpack|script|persistent|archived|http|node|slm)\./

const kinds = ['persistent', 'transient'] as const

const getClusterSettings = defineRoute({
  name: 'cluster.get_settings',
  methods: ['GET'],
  paths: ['/_cluster/settings'],
  privilege: { cluster: 'monitor' },
  parameters: { ...timeouts, flat_settings: 'boolean', include_defaults: 'boolean', local: 'boolean' },
  async handle(request, services) {
    const flat = request.query['flat_settings'] === true
    const kept = services.catalogue.collection<Readonly<Record<string, string>>>('cluster_settings')
    const shown = kinds.map((kind) => [kind, showClusterSettings(kept.get(kind) ?? {}, flat)])
    const defaults =
      request.query['include_defaults'] === true
        ? { defaults: flat ? { 'cluster.name': clusterName } : { cluster: { name: clusterName } } }
        : {}
    return { json: { ...Object.fromEntries(shown), ...defaults } }
  },
})

function showClusterSettings(settings: Readonly<Record<string, string>>, flat: boolean): Record<string, unknown> {
  return flat ? { ...settings } : nestedSettings(settings).index
}

const putClusterSettings = defineRoute({
  name: 'cluster.put_settings',
  methods: ['PUT'],
  paths: ['/_cluster/settings'],
  privilege: { cluster: 'manage' },
  parameters: { ...timeouts, flat_settings: 'boolean' },
  async handle(request, services) {
    const body = objectBody(request.json(), 'cluster settings')
    const kept = services.catalogue.collection<Readonly<Record<string, string>>>('cluster_settings')
    const flat = request.query['flat_settings'] === true
    const changes = kinds.map((kind) => ({ kind, entries: isObject(body[kind]) ? flatten(body[kind]) : [] }))
    for (const [name, value] of changes.flatMap(({ entries }) => entries)) {
      if (value === null || knownClusterSetting.test(name)) continue
      const kind = changes.find(({ entries }) => entries.some(([key]) => key === name))?.kind
      throw new AppError(searchErrors.illegal_argument_exception, `${kind} setting [${name}], not recognized`)
    }
    const after = changes.map(({ kind, entries }) => [kind, merged(kept.get(kind) ?? {}, entries)] as const)
    const settings: Readonly<Record<string, string>> = Object.assign({}, ...after.map(([, some]) => some))
    checkWatermarks(settings)
    checkRetentionSchedule(settings)
    await services.store.transaction(() => {
      for (const [kind, settings] of after) kept.put(kind, settings)
    })
    const shown = changes.map(({ kind, entries }) => {
      const set = entries.filter((entry): entry is [string, string] => entry[1] !== null)
      return [kind, showClusterSettings(Object.fromEntries(set), flat)]
    })
    return { json: { acknowledged: true, ...Object.fromEntries(shown) } }
  },
})

function merged(
  before: Readonly<Record<string, string>>,
  entries: readonly [string, string | null][],
): Record<string, string> {
  const settings = new Map(Object.entries(before))
  for (const [name, value] of entries) {
    if (value !== null) settings.set(name, value)
    else for (const key of [...settings.keys()].filter(nameMatcher(name))) settings.delete(key)
  }
  return Object.fromEntries(settings)
}

/** Settings of the cluster, those that outlive a restart and those that Elasticsearch would forget: here both are kept. */
export const clusterSettingsRoutes: readonly Route[] = [getClusterSettings, putClusterSettings]
