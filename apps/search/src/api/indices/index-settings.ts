import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { indicesOptionParameters, openAndClosed } from '../resources/authorized-indices.ts'
import { byIndex, defaultSettings, humanSettings, nameMatcher, showSettings } from '../resources/show-index.ts'
import { indicesOf } from './index-admin.ts'

/** The stack's own state keeps no replicas, whatever is asked for all indices. */
function isOwnState(index: IndexMeta): boolean {
  return index.name.startsWith('.logstack-')
}

const putSettings = defineRoute({
  name: 'indices.put_settings',
  methods: ['PUT'],
  paths: ['/_settings', '/{index}/_settings'],
  privilege: { index: 'manage' },
  parameters: {
    ...indicesOptionParameters,
    timeout: 'time',
    master_timeout: 'time',
    preserve_existing: 'boolean',
    flat_settings: 'boolean',
    reopen: 'boolean',
  },
  async handle(request, services) {
    const body = objectBody(request.json(), 'settings')
    const inner = body['settings']
    const settings = flatten(isObject(inner) ? inner : body)
    if (Object.keys(settings).length === 0) throw validationError('no settings to update')
    checkReplicas(settings['number_of_replicas'])
    // Without a name it means all, the hidden backing indices of data streams too.
    const everything = request.params['index'] === undefined
    const found = indicesOf(request, services, 'indices.put_settings', 'manage', {
      expand: everything ? ['open', 'closed', 'hidden'] : ['open', 'closed'],
    })
    for (const index of found) {
      if (everything && isOwnState(index)) continue
      await services.catalogue.putSettings(index, kept(index, settings, request.query['preserve_existing'] === true))
    }
    return { json: { acknowledged: true } }
  },
})

function kept(
  index: IndexMeta,
  settings: Readonly<Record<string, unknown>>,
  preserve: boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !preserve || index.settings[name] === undefined),
  )
}

/** Nested and dotted keys, with or without `index.`, as flat names without it. */
function flatten(given: Readonly<Record<string, unknown>>, prefix = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    const name = prefix + key
    if (isObject(value)) Object.assign(flat, flatten(value, `${name}.`))
    else flat[name.replace(/^index\./, '')] = value
  }
  return flat
}

function checkReplicas(value: unknown): void {
  if (value === undefined || value === null) return
  const text = String(value)
  if (!/^[+-]?\d+$/.test(text)) {
    const cause = new AppError(searchErrors.number_format_exception, `For input string: "${text}"`)
    const reason = `Failed to parse value [${text}] for setting [index.number_of_replicas]`
    throw new AppError(searchErrors.illegal_argument_exception, reason, { cause })
  }
  if (Number(text) < 0) {
    const reason = `Failed to parse value [${text}] for setting [index.number_of_replicas] must be >= 0`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
}

const getSettings = defineRoute({
  name: 'indices.get_settings',
  methods: ['GET'],
  paths: [
    '/_settings',
    '/_settings/{name}',
    '/{index}/_settings',
    '/{index}/_settings/{name}',
    '/{index}/_setting/{name}',
  ],
  privilege: { index: 'view_index_metadata' },
  parameters: {
    ...indicesOptionParameters,
    master_timeout: 'time',
    flat_settings: 'boolean',
    local: 'boolean',
    include_defaults: 'boolean',
    human: 'boolean',
  },
  async handle(request, services) {
    const wanted = nameMatcher(request.params['name'])
    const found = indicesOf(request, services, 'indices.get_settings', 'view_index_metadata', openAndClosed)
    const { flat_settings: flat, human, include_defaults: withDefaults } = request.query
    const settingsOf = ({ settings }: IndexMeta) => (human === true ? humanSettings(settings) : settings)
    const shown = found.map((index) => ({ ...index, settings: matching(settingsOf(index), wanted) }))
    const defaultsOf = (name: string): IndexMeta['settings'] =>
      matching(defaultSettings(services.catalogue.index(name)?.settings ?? {}), wanted)
    const json = byIndex(
      shown.filter(({ settings }) => Object.keys(settings).length > 0),
      ({ name, settings }) => ({
        settings: showSettings(settings, flat === true),
        ...(withDefaults === true ? { defaults: showSettings(defaultsOf(name), flat === true) } : {}),
      }),
    )
    return { json }
  },
})

function matching(settings: IndexMeta['settings'], wanted: (name: string) => boolean): IndexMeta['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => wanted(`index.${name}`)))
}

/** Reading and changing index settings. */
export const indexSettingsRoutes: readonly Route[] = [putSettings, getSettings]
