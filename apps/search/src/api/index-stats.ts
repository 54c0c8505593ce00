import { AppError, searchErrors } from '@logstack/errors'
import type { IndexMeta } from '../indices/model.ts'
import { indicesOptionParameters } from './authorized-indices.ts'
import { defineRoute } from './define-route.ts'
import { indicesOf } from './index-admin.ts'
import { nearest } from './parameters.ts'
import { broadcastShards, healthOf } from './shards.ts'

/** What is counted of an index or of all. */
interface Figures {
  readonly documents: number
  readonly deleted: number
  readonly bytes: number
}

type Section = Readonly<Record<string, unknown>>

const time = (name: string): Section => ({
  [`${name}_total`]: 0,
  [`${name}_time_in_millis`]: 0,
  [`${name}_current`]: 0,
})

// What Lucene would count and this engine does not have stands at nought, so that clients find every section.
const sections: Readonly<Record<string, { readonly name: string; readonly show: (figures: Figures) => Section }>> = {
  docs: {
    name: 'docs',
    show: ({ documents, deleted, bytes }) => ({ count: documents, deleted, total_size_in_bytes: bytes }),
  },
  store: {
    name: 'store',
    show: ({ bytes }) => ({ size_in_bytes: bytes, total_data_set_size_in_bytes: bytes, reserved_in_bytes: 0 }),
  },
  indexing: {
    name: 'indexing',
    show: () => ({
      ...time('index'),
      index_failed: 0,
      ...time('delete'),
      noop_update_total: 0,
      is_throttled: false,
      throttle_time_in_millis: 0,
    }),
  },
  get: {
    name: 'get',
    show: () => ({
      total: 0,
      time_in_millis: 0,
      exists_total: 0,
      exists_time_in_millis: 0,
      missing_total: 0,
      missing_time_in_millis: 0,
      current: 0,
    }),
  },
  search: {
    name: 'search',
    show: () => ({ open_contexts: 0, ...time('query'), ...time('fetch'), ...time('scroll'), ...time('suggest') }),
  },
  merge: {
    name: 'merges',
    show: () => ({
      current: 0,
      current_docs: 0,
      current_size_in_bytes: 0,
      total: 0,
      total_time_in_millis: 0,
      total_docs: 0,
      total_size_in_bytes: 0,
    }),
  },
  refresh: {
    name: 'refresh',
    show: () => ({
      total: 0,
      total_time_in_millis: 0,
      external_total: 0,
      external_total_time_in_millis: 0,
      listeners: 0,
    }),
  },
  flush: { name: 'flush', show: () => ({ total: 0, periodic: 0, total_time_in_millis: 0 }) },
  warmer: { name: 'warmer', show: () => ({ current: 0, total: 0, total_time_in_millis: 0 }) },
  query_cache: {
    name: 'query_cache',
    show: () => ({
      memory_size_in_bytes: 0,
      total_count: 0,
      hit_count: 0,
      miss_count: 0,
      cache_size: 0,
      cache_count: 0,
      evictions: 0,
    }),
  },
  fielddata: { name: 'fielddata', show: () => ({ memory_size_in_bytes: 0, evictions: 0 }) },
  completion: { name: 'completion', show: () => ({ size_in_bytes: 0 }) },
  segments: {
    name: 'segments',
    show: () => ({ count: 0, memory_in_bytes: 0, max_unsafe_auto_id_timestamp: -1, file_sizes: {} }),
  },
  translog: {
    name: 'translog',
    show: () => ({
      operations: 0,
      size_in_bytes: 0,
      uncommitted_operations: 0,
      uncommitted_size_in_bytes: 0,
      earliest_last_modified_age: 0,
    }),
  },
  request_cache: {
    name: 'request_cache',
    show: () => ({ memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 }),
  },
  recovery: {
    name: 'recovery',
    show: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
  },
}

/** The sections a path asks for. Throws `illegal_argument_exception` for unknown ones, with the nearest name. */
function wantedSections(path: string, metric: string | undefined): readonly string[] {
  const all = Object.keys(sections)
  const wanted = metric?.split(',') ?? ['_all']
  if (wanted.includes('_all')) {
    if (wanted.length === 1) return all
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `request [${path}] contains _all and individual metrics [${wanted.join(',')}]`,
    )
  }
  const unknown = wanted.filter((name) => !Object.hasOwn(sections, name))
  if (unknown.length === 0) return all.filter((name) => wanted.includes(name))
  const described = unknown.map((name) => {
    const near = nearest(name, all)
    if (near.length === 0) return `[${name}]`
    return `[${name}] -> did you mean ${near.length === 1 ? `[${near[0]}]` : `any of [${near.join(', ')}]`}?`
  })
  throw new AppError(
    searchErrors.illegal_argument_exception,
    `request [${path}] contains unrecognized metric${unknown.length > 1 ? 's' : ''}: ${described.join(', ')}`,
  )
}

/** `GET /_stats`: figures of indices. Documents and bytes are counted; the sections about Lucene's inner parts stand at nought. */
export const indexStatsRoute = defineRoute({
  name: 'indices.stats',
  methods: ['GET'],
  paths: ['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}'],
  privilege: { index: 'monitor' },
  parameters: {
    ...indicesOptionParameters,
    completion_fields: 'list',
    fielddata_fields: 'list',
    fields: 'list',
    groups: 'list',
    level: ['cluster', 'indices', 'shards'],
    types: 'list',
    include_segment_file_sizes: 'boolean',
    include_unloaded_segments: 'boolean',
    forbid_closed_indices: 'boolean',
  },
  async handle(request, services) {
    const wanted = wantedSections(request.path, request.params['metric'])
    const found = indicesOf(request, services, 'indices.stats', 'monitor', {
      expand: ['open', 'hidden'],
      forbidClosed: request.query['forbid_closed_indices'] !== false,
    })
    const rows = await Promise.all(found.map(async (index) => ({ index, ...(await services.documents.stats(index)) })))
    const show = (figures: Figures): Section =>
      Object.fromEntries(
        wanted.flatMap((key) => {
          const section = sections[key]
          return section ? [[section.name, section.show(figures)] as const] : []
        }),
      )
    const sum = (of: keyof Figures): number => rows.reduce((total, row) => total + row[of], 0)
    const all = show({ documents: sum('documents'), deleted: sum('deleted'), bytes: sum('bytes') })
    const node = services.catalogue.clusterUuid
    const indices = rows.map(({ index, ...figures }) => {
      const own = show(figures)
      const shards = request.query['level'] === 'shards' ? { shards: shownShards(index, own, node) } : {}
      return [
        index.name,
        { uuid: index.uuid, health: healthOf(index), status: index.state, primaries: own, total: own, ...shards },
      ]
    })
    const json = {
      _shards: broadcastShards(found),
      _all: { primaries: all, total: all },
      ...(request.query['level'] === 'cluster' ? {} : { indices: Object.fromEntries(indices) }),
    }
    return { json }
  },
})

/** All documents are shown with the first shard, for there is one table under them all. */
function shownShards(index: IndexMeta, figures: Section, node: string): Record<string, unknown> {
  const routing = { state: 'STARTED', primary: true, node, relocating_node: null }
  return { 0: [{ routing, ...figures, commit: { id: index.uuid, generation: 1, user_data: {} } }] }
}
