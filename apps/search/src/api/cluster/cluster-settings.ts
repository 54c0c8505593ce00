import { AppError, searchErrors } from '@logstack/errors'
import { changed, type KeptSettings, readChanges, type SettingChange } from '../../cluster-settings/change.ts'
import { checkKeepAlives } from '../../cluster-settings/keep-alives.ts'
import { clusterSettings } from '../../cluster-settings/read.ts'
import { settingDefaults } from '../../cluster-settings/registry.ts'
import { checkWatermarks } from '../../cluster-settings/watermarks.ts'
import { isObject } from '../../json/json-object.ts'
import { validationError } from '../../refusals/validation-error.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { clusterName } from '../resources/root.ts'
import { nestedSettings, shownSettings } from '../resources/show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

const kinds = ['persistent', 'transient'] as const

const getClusterSettings = defineRoute({
  name: 'cluster.get_settings',
  methods: ['GET'],
  paths: ['/_cluster/settings'],
  privilege: { cluster: 'monitor' },
  parameters: { ...timeouts, flat_settings: 'boolean', include_defaults: 'boolean', local: 'boolean' },
  async handle(request, services) {
    const flat = request.query['flat_settings'] === true
    const kept = keptSettings(services)
    const shown = kinds.map((kind) => [kind, show(kept.get(kind) ?? {}, flat)])
    const set = new Set(kinds.flatMap((kind) => Object.keys(kept.get(kind) ?? {})))
    const defaults = Object.entries(settingDefaults(clusterName, services)).filter(([name]) => !set.has(name))
    const withDefaults = request.query['include_defaults'] === true
    return {
      json: {
        ...Object.fromEntries(shown),
        ...(withDefaults ? { defaults: show(Object.fromEntries(defaults), flat) } : {}),
      },
    }
  },
})

function keptSettings({ catalogue }: Pick<Services, 'catalogue'>) {
  return catalogue.collection<KeptSettings>('cluster_settings')
}

function show(settings: KeptSettings, flat: boolean): Record<string, unknown> {
  return flat ? shownSettings(settings) : nestedSettings(settings).index
}

const putClusterSettings = defineRoute({
  name: 'cluster.put_settings',
  methods: ['PUT'],
  paths: ['/_cluster/settings'],
  privilege: { cluster: 'manage' },
  parameters: { ...timeouts, flat_settings: 'boolean' },
  async handle(request, services) {
    const changes = changesOf(request.json())
    const kept = keptSettings(services)
    const after = changes.map(({ kind, entries }) => [kind, changed(kind, kept.get(kind) ?? {}, entries)] as const)
    const all: KeptSettings = Object.assign({}, ...after.map(([, settings]) => settings))
    checkWatermarks(all)
    checkKeepAlives(clusterSettings(services.catalogue), all)
    await services.store.transaction(() => {
      for (const [kind, settings] of after) kept.put(kind, settings)
    })
    const flat = request.query['flat_settings'] === true
    const shown = changes.map(({ kind, entries }) => {
      const set = entries.filter((entry): entry is [string, string] => entry[1] !== null)
      return [kind, show(Object.fromEntries(set), flat)]
    })
    return { json: { acknowledged: true, ...Object.fromEntries(shown) } }
  },
})

/** What a body asks of both kinds of settings. Throws where it asks for nothing, or for something else. */
export function changesOf(
  given: unknown,
): readonly { readonly kind: (typeof kinds)[number]; readonly entries: readonly SettingChange[] }[] {
  const body = objectBody(given, 'cluster_update_settings_request')
  const unknown = Object.keys(body).find((name) => !kinds.some((kind) => kind === name))
  if (unknown !== undefined)
    throw new AppError(
      searchErrors.x_content_parse_exception,
      `[1:1] [cluster_update_settings_request] unknown field [${unknown}]`,
    )
  const changes = kinds.map((kind) => ({ kind, entries: isObject(body[kind]) ? readChanges(body[kind]) : [] }))
  if (changes.every(({ entries }) => entries.length === 0)) throw validationError('no settings to update')
  return changes
}

/** Settings of the cluster, those that outlive a restart and those that Elasticsearch would forget: here both are kept. */
export const clusterSettingsRoutes: readonly Route[] = [getClusterSettings, putClusterSettings]
