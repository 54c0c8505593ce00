import { AppError, searchErrors } from '@logstack/errors'
import { healthOf } from '../../indices/shards.ts'
import { isRunByPolicy, retentionOf } from '../../lifecycle/run-stream-lifecycles.ts'
import type { DataStreamLifecycle, DataStreamMeta } from '../../model/index-meta.ts'
import { needOf } from '../../security/actions.ts'
import { forbidden } from '../../security/denied.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { readableTime } from '../encoding/human-values.ts'
import { requireIndices } from '../resources/authorized-indices.ts'
import { nameMatcher } from '../resources/show-index.ts'

const parameters = {
  expand_wildcards: 'list',
  master_timeout: 'time',
  timeout: 'time',
  include_defaults: 'boolean',
  verbose: 'boolean',
} as const
const dayMs = 86_400_000

/** The data streams a request names; a name that is none is 404, unless it is a pattern. */
export function namedStreams(
  request: RouteRequest,
  services: Services,
  privilege: string,
  route: string,
): DataStreamMeta[] {
  const expression = request.params['name']
  const wanted = nameMatcher(expression)
  const literal = expression?.split(',').filter((name) => !name.includes('*') && name !== '_all') ?? []
  const { scope } = request
  requireIndices(scope, route, privilege, literal)
  const need = needOf(route, 'index', privilege)
  if (literal.length === 0 && scope.hasAnyIndex?.(need.wanted) === false)
    throw forbidden(scope, need.action, 'index', need.wanted)
  const found = [...services.catalogue.dataStreams()].filter(
    ({ name }) => wanted(name) && scope.hasIndex(need.wanted, name),
  )
  const absent = literal.find((name) => !found.some((stream) => stream.name === name))
  if (absent === undefined) return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  throw new AppError(searchErrors.index_not_found_exception, `no such index [${absent}]`, {
    detail: { 'resource.type': 'index_or_alias', 'resource.id': absent, index_uuid: '_na_', index: absent },
  })
}

/** A lifecycle with what holds in the end: the stream's own retention, or the stack's. */
export function showLifecycle(stream: DataStreamMeta, lifecycle: DataStreamLifecycle, services: Services): object {
  const { ms, by } = retentionOf(stream, services)
  const effective =
    ms === undefined
      ? {}
      : { effective_retention: ms % dayMs === 0 ? `${ms / dayMs}d` : readableTime(ms), retention_determined_by: by }
  return { ...lifecycle, ...effective }
}

function show(stream: DataStreamMeta, services: Services) {
  const { catalogue } = services
  const backing = stream.indices.map((name) => catalogue.index(name)).filter((index) => index !== undefined)
  const policy = backing.at(-1)?.settings['lifecycle.name']
  const { lifecycle } = stream
  const managed_by = isRunByPolicy(stream, services)
    ? 'Index Lifecycle Management'
    : lifecycle?.enabled === true
      ? 'Data stream lifecycle'
      : 'Unmanaged'
  const managed = { managed_by }
  return {
    name: stream.name,
    timestamp_field: { name: stream.timestampField },
    indices: backing.map(({ name, uuid }) => ({ index_name: name, index_uuid: uuid, prefer_ilm: true, ...managed })),
    generation: stream.generation,
    status: backing.some((index) => healthOf(index) === 'yellow') ? 'YELLOW' : 'GREEN',
    template: stream.template,
    ...(policy === undefined ? {} : { ilm_policy: policy }),
    ...(lifecycle === undefined ? {} : { lifecycle: showLifecycle(stream, lifecycle, services) }),
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
    const found = namedStreams(request, services, 'view_index_metadata', 'indices.get_data_stream')
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
    const found = namedStreams(request, services, 'delete_index', 'indices.delete_data_stream')
    for (const { name } of found) await services.catalogue.deleteDataStream(name)
    return { json: { acknowledged: true } }
  },
})

/** Data streams. */
export const dataStreamRoutes: readonly Route[] = [get, create, remove]
