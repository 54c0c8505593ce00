import { AppError, searchErrors } from '@logstack/errors'
import type { IndexMeta } from '../indices/model.ts'
import { parseStreamLifecycle } from '../indices/stream-lifecycle.ts'
import { rolledOverAtMs } from '../lifecycle/rollover.ts'
import { isRunByPolicy } from '../lifecycle/run-stream-lifecycles.ts'
import type { Services } from '../services.ts'
import { indicesOptionParameters } from './authorized-indices.ts'
import { namedStreams, showLifecycle } from './data-streams.ts'
import { defineRoute, type Route } from './define-route.ts'
import { readableTime } from './human-values.ts'
import { indicesOf } from './index-admin.ts'
import { isObject } from './read-request.ts'

const parameters = {
  expand_wildcards: 'list',
  master_timeout: 'time',
  timeout: 'time',
  include_defaults: 'boolean',
} as const

const get = defineRoute({
  name: 'indices.get_data_lifecycle',
  methods: ['GET'],
  paths: ['/_data_stream/{name}/_lifecycle'],
  privilege: { index: 'view_index_metadata' },
  parameters,
  async handle(request, services) {
    const found = namedStreams(request, services, 'view_index_metadata', 'indices.get_data_lifecycle')
    const data_streams = found.map((stream) => ({
      name: stream.name,
      ...(stream.lifecycle ? { lifecycle: showLifecycle(stream, stream.lifecycle, services) } : {}),
    }))
    return { json: { data_streams, global_retention: {} } }
  },
})

const put = defineRoute({
  name: 'indices.put_data_lifecycle',
  methods: ['PUT'],
  paths: ['/_data_stream/{name}/_lifecycle'],
  privilege: { index: 'manage_data_stream_lifecycle' },
  parameters,
  async handle(request, services) {
    const found = namedStreams(request, services, 'manage_data_stream_lifecycle', 'indices.put_data_lifecycle')
    const body = request.body.length === 0 ? {} : request.json()
    if (!isObject(body)) throw new AppError(searchErrors.parsing_exception, '[lifecycle] expects an object')
    const lifecycle = parseStreamLifecycle(body)
    for (const { name } of found) await services.catalogue.putLifecycle(name, lifecycle)
    return { json: { acknowledged: true } }
  },
})

const remove = defineRoute({
  name: 'indices.delete_data_lifecycle',
  methods: ['DELETE'],
  paths: ['/_data_stream/{name}/_lifecycle'],
  privilege: { index: 'manage_data_stream_lifecycle' },
  parameters,
  async handle(request, services) {
    const found = namedStreams(request, services, 'manage_data_stream_lifecycle', 'indices.delete_data_lifecycle')
    for (const { name } of found) await services.catalogue.putLifecycle(name, undefined)
    return { json: { acknowledged: true } }
  },
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
