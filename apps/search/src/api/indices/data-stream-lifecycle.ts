import { AppError, searchErrors } from '@logstack/errors'
import { parseStreamLifecycle } from '../../indices/stream-lifecycle.ts'
import { isObject } from '../../json/json-object.ts'
import { rolledOverAtMs } from '../../lifecycle/rollover.ts'
import { isRunByPolicy } from '../../lifecycle/run-stream-lifecycles.ts'
import type { DataStreamMeta, IndexMeta } from '../../model/index-meta.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { readableTime } from '../encoding/human-values.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { namedStreams, showLifecycle } from './data-streams.ts'
import { indicesOf } from './index-admin.ts'

const parameters = {
  expand_wildcards: 'list',
  master_timeout: 'time',
  timeout: 'time',
  include_defaults: 'boolean',
} as const

/** A route over the lifecycles of the data streams that a request names. */
function lifecycleRoute(
  verb: 'get' | 'put' | 'delete',
  privilege: string,
  handle: (found: readonly DataStreamMeta[], request: RouteRequest, services: Services) => Promise<unknown>,
): Route {
  const name = `indices.${verb}_data_lifecycle`
  return defineRoute({
    name,
    methods: [verb.toUpperCase() as 'GET' | 'PUT' | 'DELETE'],
    paths: ['/_data_stream/{name}/_lifecycle'],
    privilege: { index: privilege },
    parameters,
    async handle(request, services) {
      return { json: await handle(namedStreams(request, services, privilege, name), request, services) }
    },
  })
}

const get = lifecycleRoute('get', 'view_index_metadata', async (found, _request, services) => {
  const data_streams = found.map((stream) => ({
    name: stream.name,
    ...(stream.lifecycle ? { lifecycle: showLifecycle(stream, stream.lifecycle, services) } : {}),
  }))
  return { data_streams, global_retention: {} }
})

const put = lifecycleRoute('put', 'manage_data_stream_lifecycle', async (found, request, services) => {
  const body = request.body.length === 0 ? {} : request.json()
  if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, '[lifecycle] expects an object')
  const lifecycle = parseStreamLifecycle(body)
  for (const { name } of found) await services.catalogue.putLifecycle(name, lifecycle)
  return { acknowledged: true }
})

const remove = lifecycleRoute('delete', 'manage_data_stream_lifecycle', async (found, _request, services) => {
  for (const { name } of found) await services.catalogue.putLifecycle(name, undefined)
  return { acknowledged: true }
})

function explainOf(index: IndexMeta, services: Services): Record<string, unknown> {
  const stream = index.dataStream === undefined ? undefined : services.catalogue.dataStream(index.dataStream)
  if (!stream?.lifecycle?.enabled || isRunByPolicy(stream, services))
    return { index: index.name, managed_by_lifecycle: false }
  const nowMs = services.now()
  const rolledMs = rolledOverAtMs(index, services)
  return {
    index: index.name,
    managed_by_lifecycle: true,
    index_creation_date_millis: index.createdAtMs,
    time_since_index_creation: readableTime(nowMs - index.createdAtMs),
    ...(rolledMs === undefined
      ? {}
      : {
          rollover_date_millis: rolledMs,
          time_since_rollover: readableTime(nowMs - rolledMs),
          generation_time: readableTime(nowMs - rolledMs),
        }),
    lifecycle: showLifecycle(stream, stream.lifecycle, services),
  }
}

const explain = defineRoute({
  name: 'indices.explain_data_lifecycle',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_lifecycle/explain'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, include_defaults: 'boolean', master_timeout: 'time' },
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.explain_data_lifecycle', 'view_index_metadata')
    return { json: { indices: Object.fromEntries(found.map((index) => [index.name, explainOf(index, services)])) } }
  },
})

/** How long data streams keep their events. */
export const dataStreamLifecycleRoutes: readonly Route[] = [get, put, remove, explain]
