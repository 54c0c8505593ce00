import { AppError, searchErrors } from '@logstack/errors'
import type { DataStreamMeta } from '../indices/catalogue.ts'
import type { Services } from '../services.ts'
import { requireIndices } from './authorized-indices.ts'
import { defineRoute, type Route, type RouteRequest } from './define-route.ts'
import { healthOf } from './shards.ts'
import { nameMatcher } from './show-index.ts'

const parameters = {
  expand_wildcards: 'list',
  master_timeout: 'time',
  timeout: 'time',
  include_defaults: 'boolean',
  verbose: 'boolean',
} as const

/** The data streams a request names; a name that is none is 404, unless it is a pattern. */
function named(request: RouteRequest, services: Services, privilege: string, route: string): DataStreamMeta[] {
  const expression = request.params['name']
  const wanted = nameMatcher(expression)
  const literal = expression?.split(',').filter((name) => !name.includes('*') && name !== '_all') ?? []
  requireIndices(request.scope, route, privilege, literal)
  const found = [...services.catalogue.dataStreams()].filter(
    ({ name }) => wanted(name) && request.scope.hasIndex(privilege, name),
  )
  const absent = literal.find((name) => !found.some((stream) => stream.name === name))
  if (absent === undefined) return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  throw new AppError(searchErrors.index_not_found_exception, `no such index [${absent}]`, {
    detail: { 'resource.type': 'index_or_alias', 'resource.id': absent, index_uuid: '_na_', index: absent },
  })
}

function show(stream: DataStreamMeta, { catalogue }: Services) {
  const backing = stream.indices.map((name) => catalogue.index(name)).filter((index) => index !== undefined)
  const policy = backing.at(-1)?.settings['lifecycle.name']
  const managed = { managed_by: policy === undefined ? 'Unmanaged' : 'Index Lifecycle Management' }
  return {
    name: stream.name,
    timestamp_field: { name: stream.timestampField },
    indices: backing.map(({ name, uuid }) => ({ index_name: name, index_uuid: uuid, prefer_ilm: true, ...managed })),
    generation: stream.generation,
    status: backing.some((index) => healthOf(index) === 'yellow') ? 'YELLOW' : 'GREEN',
    template: stream.template,
    ...(policy === undefined ? {} : { ilm_policy: policy }),
    next_generation_managed_by: managed.managed_by,
    prefer_ilm: true,
    hidden: stream.hidden,
    system: false,
    allow_custom_routing: false,
    replicated: false,
    rollover_on_write: false,
  }
}

const get = defineRoute({
  name: 'indices.get_data_stream',
  methods: ['GET'],
  paths: ['/_data_stream', '/_data_stream/{name}'],
  privilege: { index: 'view_index_metadata' },
  parameters,
  async handle(request, services) {
    const found = named(request, services, 'view_index_metadata', 'indices.get_data_stream')
    return { json: { data_streams: found.map((stream) => show(stream, services)) } }
  },
})

const create = defineRoute({
  name: 'indices.create_data_stream',
  methods: ['PUT'],
  paths: ['/_data_stream/{name}'],
  privilege: { index: 'create_index' },
  parameters,
  async handle(request, { catalogue }) {
    const name = request.params['name'] ?? ''
    requireIndices(request.scope, 'indices.create_data_stream', 'create_index', [name])
    await catalogue.createDataStream(name)
    return { json: { acknowledged: true } }
  },
})

const remove = defineRoute({
  name: 'indices.delete_data_stream',
  methods: ['DELETE'],
  paths: ['/_data_stream/{name}'],
  privilege: { index: 'delete_index' },
  parameters,
  async handle(request, services) {
    const found = named(request, services, 'delete_index', 'indices.delete_data_stream')
    for (const { name } of found) await services.catalogue.deleteDataStream(name)
    return { json: { acknowledged: true } }
  },
})

/** Data streams. */
export const dataStreamRoutes: readonly Route[] = [get, create, remove]
