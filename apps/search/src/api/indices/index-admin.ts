import { AppError, searchErrors } from '@logstack/errors'
import { clusterSetting } from '../../cluster-settings/read.ts'
import { operationCounters } from '../../documents/operation-counts.ts'
import { parseAlias } from '../../indices/aliases.ts'
import { refuseBlocked } from '../../indices/blocks.ts'
import type { CreateIndexRequest } from '../../indices/catalogue.ts'
import type { ResolveOptions } from '../../indices/resolve.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { isObject } from '../../json/json-object.ts'
import type { AliasMeta, IndexMeta } from '../../model/index-meta.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import { visibleMapping } from '../../security/visible-mapping.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import {
  indicesOptionParameters,
  openAndClosed,
  requireIndices,
  resolveAuthorized,
} from '../resources/authorized-indices.ts'
import { changeAsTask, completionParameters } from '../resources/background-task.ts'
import { byIndex, defaultSettings, humanSettings, shownAliases, showSettings } from '../resources/show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

/** The indices a metadata route is about. */
export function indicesOf(
  request: RouteRequest,
  services: Services,
  route: string,
  privilege: string,
  defaults: Partial<ResolveOptions> = openAndClosed,
): IndexMeta[] {
  const options = resolveOptions(request.query, defaults)
  const expression = request.params['index'] ?? ''
  return resolveAuthorized(request, services, { route, privilege, expression, options }).map(({ index }) => index)
}

const createBodyKeys = ['settings', 'mappings', 'aliases']

/** Reads the body of an index creation: `settings`, `mappings`, `aliases`, nothing else. */
export function readCreateBody(body: unknown): Omit<CreateIndexRequest, 'name'> {
  if (body === undefined) return {}
  const given = objectBody(body, 'create index')
  for (const key of Object.keys(given)) {
    if (createBodyKeys.includes(key)) continue
    throw new AppError(searchErrors.parse_exception, `unknown key [${key}] for create index`)
  }
  const { settings, mappings, aliases } = given
  return {
    ...(isObject(settings) ? { settings } : {}),
    ...(isObject(mappings) ? { mappings: typelessMapping(mappings) } : {}),
    ...(isObject(aliases) ? { aliases: readAliases(aliases) } : {}),
  }
}

/** Throws 403 for who makes an index under other names as well and may not manage those: a name of others' would lead what they read and write to it. */
export function requireAliases(scope: Scope, index: string, aliases: CreateIndexRequest['aliases'] | undefined): void {
  const names = Object.keys(aliases ?? {})
  if (names.length > 0) requireIndices(scope, 'indices.update_aliases', 'manage', [index, ...names])
}

/** `{ _doc: { properties } }` as older clients send it is the mapping inside. */
function typelessMapping(given: Readonly<Record<string, unknown>>): Mapping {
  const inner = given['_doc']
  return Object.keys(given).length === 1 && isObject(inner) ? inner : given
}

/** The aliases of an index or a template. */
function readAliases(given: Readonly<Record<string, unknown>>): Record<string, AliasMeta> {
  return Object.fromEntries(Object.entries(given).map(([name, body]) => [name, parseAlias(name, body)]))
}

/** How many copies of shards to wait for: one index is one here, so that the number changes nothing. Throws `illegal_argument_exception` for what is none. */
function checkShardCount(given: unknown): void {
  if (given === undefined || /^(?:all|-?\d+)$/u.test(String(given))) return
  throw new AppError(searchErrors.illegal_argument_exception, `cannot parse ActiveShardCount[${String(given)}]`, {
    cause: new AppError(searchErrors.number_format_exception, `For input string: "${String(given)}"`),
  })
}

const createIndex = defineRoute({
  name: 'indices.create',
  methods: ['PUT'],
  paths: ['/{index}'],
  privilege: { index: 'create_index' },
  parameters: { ...timeouts, wait_for_active_shards: 'string', include_type_name: 'boolean' },
  async handle(request, { catalogue }) {
    const name = request.params['index'] ?? ''
    requireIndices(request.scope, 'indices.create', 'create_index', [name])
    checkShardCount(request.query['wait_for_active_shards'])
    const given = readCreateBody(request.json())
    requireAliases(request.scope, name, given.aliases)
    const created = await catalogue.createIndex({ name, ...given })
    return { json: { acknowledged: true, shards_acknowledged: true, index: created.name } }
  },
})

const deleteIndex = defineRoute({
  name: 'indices.delete',
  methods: ['DELETE'],
  paths: ['/{index}'],
  privilege: { index: 'delete_index' },
  parameters: { ...timeouts, ...indicesOptionParameters },
  async handle(request, services) {
    const named = new Set((request.params['index'] ?? '').split(','))
    refusePatterns([...named], services)
    const found = indicesOf(request, services, 'indices.delete', 'delete_index', {
      ...openAndClosed,
      ignoreAliases: true,
    })
    for (const index of found) {
      refuseDelete(index, named, services)
      refuseBlocked(index, 'delete')
    }
    // What a wildcard found of a data stream stays: a stream is deleted as a whole.
    for (const index of found)
      if (index.dataStream === undefined || named.has(index.name)) await services.catalogue.deleteIndex(index)
    operationCounters(services).keepOnly((id) => services.catalogue.indexById(id) !== undefined)
    return { json: { acknowledged: true } }
  },
})

/** With `action.destructive_requires_name` only names are deleted, no patterns. */
function refusePatterns(names: readonly string[], { catalogue }: Services): void {
  if (clusterSetting(catalogue, 'action.destructive_requires_name') === 'false') return
  if (!names.some((name) => name === '_all' || name.includes('*'))) return
  throw new AppError(searchErrors.illegal_argument_exception, 'Wildcard expressions or all indices are not allowed')
}

function refuseDelete(index: IndexMeta, named: ReadonlySet<string>, { catalogue }: Services): void {
  const alias = Object.keys(index.aliases).find((name) => named.has(name))
  if (alias !== undefined && !named.has(index.name)) {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `The provided expression [${alias}] matches an alias, specify the corresponding concrete indices instead.`,
    )
  }
  if (index.dataStream === undefined) return
  if (named.has(index.dataStream)) {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `The provided expression [${index.dataStream}] matches a data stream, specify the corresponding concrete indices instead.`,
    )
  }
  if (named.has(index.name) && catalogue.dataStream(index.dataStream)?.indices.at(-1) === index.name) {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `index [${index.name}] is the write index for data stream [${index.dataStream}] and cannot be deleted`,
    )
  }
}

const existsIndex = defineRoute({
  name: 'indices.exists',
  methods: ['HEAD'],
  paths: ['/{index}'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, local: 'boolean', flat_settings: 'boolean', include_defaults: 'boolean' },
  async handle(request, services) {
    indicesOf(request, services, 'indices.exists', 'view_index_metadata', {
      ...openAndClosed,
      allowNoIndices: false,
    })
    return {}
  },
})

const getIndex = defineRoute({
  name: 'indices.get',
  methods: ['GET'],
  paths: ['/{index}'],
  privilege: { index: 'view_index_metadata' },
  parameters: {
    ...indicesOptionParameters,
    ...timeouts,
    local: 'boolean',
    flat_settings: 'boolean',
    include_defaults: 'boolean',
    features: 'list',
    human: 'boolean',
  },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.get', 'view_index_metadata')
    const { flat_settings: flat, human, include_defaults: withDefaults } = request.query
    const json = byIndex(found, (index) => ({
      aliases: shownAliases(index.aliases),
      mappings: visibleMapping(request.scope, index),
      settings: showSettings(human === true ? humanSettings(index.settings) : index.settings, flat === true),
      ...(withDefaults === true ? { defaults: showSettings(defaultSettings(index.settings), flat === true) } : {}),
      ...(index.dataStream === undefined ? {} : { data_stream: index.dataStream }),
    }))
    return { json }
  },
})

function refuseClosing({ catalogue }: Services): void {
  if (clusterSetting(catalogue, 'cluster.indices.close.enable') === 'true') return
  throw new AppError(
    { ...searchErrors.illegal_state_exception, kind: 'internal' },
    'closing indices is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: closed indices still consume a significant amount of diskspace',
  )
}

const openOrClose = (what: 'open' | 'close'): Route =>
  defineRoute({
    name: `indices.${what}`,
    methods: ['POST'],
    paths: [`/{index}/_${what}`],
    privilege: { index: 'manage' },
    parameters: {
      ...indicesOptionParameters,
      ...timeouts,
      wait_for_active_shards: 'string',
      ...(what === 'open' ? completionParameters : {}),
    },
    listsItself: true,
    async handle(request, services) {
      if (what === 'close') refuseClosing(services)
      const found = indicesOf(request, services, `indices.${what}`, 'manage')
      const description = `${what} indices [${found.map(({ name }) => name).join(', ')}]`
      return changeAsTask(services, request, { action: `indices:admin/${what}`, description }, async () => {
        for (const index of found) await services.catalogue.setState(index, what)
        const closed = what === 'close' ? { indices: byIndex(found, () => ({ closed: true })) } : {}
        return { acknowledged: true, shards_acknowledged: true, ...closed }
      })
    },
  })

/** Making, showing, opening, closing and deleting indices. */
export const indexAdminRoutes: readonly Route[] = [
  createIndex,
  deleteIndex,
  existsIndex,
  getIndex,
  openOrClose('open'),
  openOrClose('close'),
]
