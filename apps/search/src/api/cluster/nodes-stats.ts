import { freemem, loadavg, totalmem } from 'node:os'
import { AppError, searchErrors } from '@logstack/errors'
import { clusterSetting } from '../../cluster-settings/read.ts'
import type { WritePressure } from '../../documents/documents.ts'
import type { Engine } from '../../engine/engine.ts'
import { statusCounters } from '../../indices/status-counts.ts'
import { type PipelineCount, pipelinesOf } from '../../ingest/pipelines.ts'
import { unrecognized } from '../../refusals/did-you-mean.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { figuresOf, shownShard } from '../indices/index-stats.ts'
import { joinFigures, type StatsSection, showSections, statsSections } from '../indices/stats-sections.ts'
import { diskSpace } from '../resources/disk-space.ts'
import { describeNode, meansThisNode, nodesHeader } from '../resources/node.ts'
import { clusterName } from '../resources/root.ts'

/** The pools as `_nodes/stats` shows them. */
function threadPools({ lanes }: Pick<Engine, 'lanes'>): Record<string, unknown> {
  return Object.fromEntries(
    (lanes?.() ?? []).map(({ name, slots, waiting, working, rejected, workingMost, completed }) => [
      name,
      { threads: slots, queue: waiting, active: working, rejected, largest: workingMost, completed },
    ]),
  )
}

/** What pipelines did since the start. */
function ingestStats({ catalogue }: Services): Record<string, unknown> {
  const counted = pipelinesOf(catalogue).counters()
  const show = ({ count, failed, timeMs }: PipelineCount): Record<string, number> => ({
    count,
    time_in_millis: Math.round(timeMs),
    current: 0,
    failed,
  })
  const total = { count: 0, failed: 0, timeMs: 0 }
  for (const [, one] of counted) {
    total.count += one.count
    total.failed += one.failed
    total.timeMs += one.timeMs
  }
  return { total: show(total), pipelines: Object.fromEntries(counted.map(([id, one]) => [id, show(one)])) }
}

type Metric = (services: Services, sections: readonly string[], level?: unknown) => unknown | Promise<unknown>

/** Sections of all indices together; with `level` also of each by itself: all that a node has of an index is its shards. */
export async function allIndices(
  services: Services,
  sections: readonly string[],
  level?: unknown,
): Promise<StatsSection> {
  const rows = await Promise.all(
    [...services.catalogue.indices()].map(async (index) => ({ index, figures: await figuresOf(services, index) })),
  )
  const all = showSections(sections, joinFigures(rows.map(({ figures }) => figures)))
  if (level !== 'indices' && level !== 'shards') return all
  const each = rows.map(({ index, figures }) => {
    const own = showSections(sections, figures)
    return [index.name, level === 'indices' ? own : [{ 0: shownShard(index, own, services.catalogue.clusterUuid) }]]
  })
  return { ...all, [level]: Object.fromEntries(each) }
}

/** The memory of the machine. */
export function machineMemory(): Record<string, number> {
  const total = totalmem()
  const free = freemem()
  const freePercent = Math.round((free / total) * 100)
  return {
    total_in_bytes: total,
    free_in_bytes: free,
    used_in_bytes: total - free,
    free_percent: freePercent,
    used_percent: 100 - freePercent,
  }
}

/** What the process takes of the memory it may take; the engine's ceiling, which ES_JAVA_OPTS sets, stands for the heap. */
export function heapOf(services: Services): { heap_used_in_bytes: number; heap_max_in_bytes: number } {
  return { heap_used_in_bytes: process.memoryUsage().rss, heap_max_in_bytes: services.engineMemoryBytesMax }
}

/** The file system under the data. */
export async function fileSystem(services: Services): Promise<Record<string, unknown>> {
  const { path, totalBytes, freeBytes } = await diskSpace(services)
  const space = { total_in_bytes: totalBytes, free_in_bytes: freeBytes, available_in_bytes: freeBytes }
  return { timestamp: services.now(), total: space, data: [{ path, type: 'local', ...space }] }
}

/** The connections of clients; each by itself unless `http.client_stats.enabled` says otherwise. */
function httpStats({ http, catalogue }: Services): Record<string, unknown> {
  const shown = clusterSetting(catalogue, 'http.client_stats.enabled') === 'true' ? http.clients() : []
  const clients = shown.map((client) => ({
    id: client.id,
    agent: client.agent,
    local_address: client.localAddress,
    remote_address: client.remoteAddress,
    last_uri: client.lastUri,
    x_forwarded_for: client.forwardedFor,
    x_opaque_id: client.opaqueId,
    opened_time_millis: client.openedMs,
    closed_time_millis: client.closedMs,
    last_request_time_millis: client.lastRequestMs,
    request_count: client.requests,
    request_size_bytes: client.requestBytes,
  }))
  return { current_open: http.counts.open, total_opened: http.counts.opened, clients }
}

const noTraffic = {
  server_open: 0,
  total_outbound_connections: 0,
  rx_count: 0,
  rx_size_in_bytes: 0,
  tx_count: 0,
  tx_size_in_bytes: 0,
}

/** What can be asked for of a node; the parts of a Java virtual machine and of a cluster of several nodes stand at nought. */
export const nodeMetrics: Readonly<Record<string, Metric>> = {
  indices: async (services, sections, level) => {
    const { documents, searches } = statusCounters(services)
    const statuses = { doc_status: documents, search_response_status: searches }
    return { ...(await allIndices(services, sections, level)), status_counter: statuses }
  },
  os: ({ now }) => ({
    timestamp: now(),
    cpu: { load_average: Object.fromEntries(loadavg().map((load, at) => [['1m', '5m', '15m'][at], load])) },
    mem: machineMemory(),
  }),
  process: ({ now }) => ({ timestamp: now(), mem: { total_virtual_in_bytes: process.memoryUsage().rss } }),
  jvm: (services) => {
    const heap = heapOf(services)
    const { arrayBuffers } = process.memoryUsage()
    return {
      timestamp: services.now(),
      uptime_in_millis: services.now() - services.startedAtMs,
      mem: { ...heap, heap_used_percent: Math.round((heap.heap_used_in_bytes / heap.heap_max_in_bytes) * 100) },
      threads: { count: 1, peak_count: 1 },
      buffer_pools: { direct: { count: 0, used_in_bytes: arrayBuffers, total_capacity_in_bytes: arrayBuffers } },
    }
  },
  thread_pool: ({ engine }) => threadPools(engine),
  fs: fileSystem,
  transport: () => noTraffic,
  http: httpStats,
  breaker: () => ({}),
  script: () => ({ compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 }),
  discovery: () => ({
    cluster_state_queue: { total: 0, pending: 0, committed: 0 },
    published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
  }),
  ingest: (services) => ingestStats(services),
  adaptive_selection: () => ({}),
  script_cache: () => ({ sum: { compilations: 0, cache_evictions: 0, compilation_limit_triggered: 0 } }),
  indexing_pressure: ({ documents }) => indexingPressure(documents.pressure()),
}

/** One queue takes all operations: what coordinates is what writes, and there are no replicas. */
function indexingPressure({ bytes, bytesEver, rejections, bytesMax }: WritePressure): Record<string, unknown> {
  const bytesOf = (all: number) => ({
    combined_coordinating_and_primary_in_bytes: all,
    coordinating_in_bytes: all,
    primary_in_bytes: all,
    replica_in_bytes: 0,
    all_in_bytes: all,
  })
  const refused = {
    coordinating_rejections: rejections,
    primary_rejections: 0,
    replica_rejections: 0,
    primary_document_rejections: 0,
  }
  const memory = { current: bytesOf(bytes), total: { ...bytesOf(bytesEver), ...refused }, limit_in_bytes: bytesMax }
  return { memory }
}

/** Names of a list that are among the known ones. Throws `illegal_argument_exception` for others, with the nearest name. */
export function chosen(
  path: string,
  given: string | undefined,
  known: readonly string[],
  kind = 'metric',
): readonly string[] {
  const names = given?.split(',') ?? ['_all']
  if (names.includes('_all')) {
    if (names.length === 1) return known
    const reason = `request [${path}] contains _all and individual ${kind}s [${names.join(',')}]`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return names
  throw new AppError(searchErrors.illegal_argument_exception, unrecognized(path, kind, unknown, known))
}

/** Statistics of the node. */
export const nodesStatsRoute: Route = defineRoute({
  name: 'nodes.stats',
  methods: ['GET'],
  paths: [
    '/_nodes/stats',
    '/_nodes/stats/{metric}',
    '/_nodes/stats/{metric}/{index_metric}',
    '/_nodes/{node}/stats',
    '/_nodes/{node}/stats/{metric}',
    '/_nodes/{node}/stats/{metric}/{index_metric}',
  ],
  privilege: { cluster: 'monitor' },
  parameters: {
    timeout: 'time',
    level: ['node', 'indices', 'shards'],
    groups: 'list',
    fields: 'list',
    fielddata_fields: 'list',
    completion_fields: 'list',
    types: 'list',
    include_segment_file_sizes: 'boolean',
    include_unloaded_segments: 'boolean',
  },
  async handle(request, services) {
    const { node, metric, index_metric: indexMetric } = request.params
    const wanted = chosen(request.path, metric, Object.keys(nodeMetrics))
    const sections = chosen(request.path, indexMetric, Object.keys(statsSections))
    const { clusterUuid } = services.catalogue
    const { nodeName } = services
    if (node !== undefined && !meansThisNode(node.split(','), { nodeName, clusterUuid })) {
      return { json: { _nodes: { total: 0, successful: 0, failed: 0 }, cluster_name: clusterName, nodes: {} } }
    }
    const { transport_address, host, ip, roles, attributes, name } = describeNode(services)
    const shown = await Promise.all(
      wanted.map(async (each) => [
        each === 'breaker' ? 'breakers' : each,
        await nodeMetrics[each]?.(services, sections, request.query['level']),
      ]),
    )
    const own = { timestamp: services.now(), name, transport_address, host, ip, roles, attributes }
    const nodes = { [clusterUuid]: { ...own, ...Object.fromEntries(shown) } }
    return { json: { _nodes: nodesHeader, cluster_name: clusterName, nodes } }
  },
})
