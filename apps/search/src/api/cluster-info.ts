import { arch, availableParallelism, freemem, loadavg, release, totalmem, type } from 'node:os'
import { AppError, searchErrors } from '@logstack/errors'
import { type PipelineCount, pipelinesOf } from '../ingest/pipelines.ts'
import { processorTypes } from '../ingest/processors/index.ts'
import type { Services } from '../services.ts'
import { indicesOptionParameters } from './authorized-indices.ts'
import { defineRoute, type Route } from './define-route.ts'
import { indicesOf } from './index-admin.ts'
import { isObject, objectBody } from './read-request.ts'
import { apiVersion, clusterName } from './root.ts'
import { nameMatcher, nestedSettings } from './show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

const license = defineRoute({
  name: 'license.get',
  methods: ['GET'],
  paths: ['/_license', '/_xpack/license'],
  privilege: { cluster: 'monitor' },
  parameters: { local: 'boolean', accept_enterprise: 'boolean' },
  async handle(_request, { catalogue, nodeName, startedAtMs }) {
    const json = {
      license: {
        status: 'active',
        uid: catalogue.clusterUuid,
        type: 'basic',
        issue_date: new Date(startedAtMs).toISOString(),
        issue_date_in_millis: startedAtMs,
        max_nodes: 1000,
        max_resource_units: null,
        issued_to: clusterName,
        issuer: nodeName,
        start_date_in_millis: -1,
      },
    }
    return { json }
  },
})

const absent = { available: false, enabled: false }
const present = { available: true, enabled: true }

const xpack = defineRoute({
  name: 'xpack.info',
  methods: ['GET'],
  paths: ['/_xpack'],
  privilege: { cluster: 'monitor' },
  parameters: { categories: 'list', accept_enterprise: 'boolean' },
  async handle(_request, { catalogue }) {
    const json = {
      build: { hash: apiVersion.build_hash, date: apiVersion.build_date },
      license: { uid: catalogue.clusterUuid, type: 'basic', mode: 'basic', status: 'active' },
      features: {
        data_streams: present,
        eql: absent,
        ilm: present,
        logstash: absent,
        ml: absent,
        monitoring: absent,
        security: present,
        sql: absent,
        transform: absent,
        watcher: absent,
      },
      tagline: 'You know, for X',
    }
    return { json }
  },
})

function node({ nodeName }: Services) {
  return {
    name: nodeName,
    transport_address: '127.0.0.1:9300',
    host: '127.0.0.1',
    ip: '127.0.0.1',
    version: apiVersion.number,
    build_flavor: apiVersion.build_flavor,
    build_type: apiVersion.build_type,
    build_hash: apiVersion.build_hash,
    roles: ['data', 'ingest', 'master'],
    attributes: {},
  }
}

const nodesHeader = { total: 1, successful: 1, failed: 0 }
const infoMetrics = ['settings', 'os', 'process', 'jvm', 'thread_pool', 'transport', 'http', 'plugins', 'ingest']

const nodesInfo = defineRoute({
  name: 'nodes.info',
  methods: ['GET'],
  paths: ['/_nodes', '/_nodes/{metric}', '/_nodes/{node}/{metric}'],
  privilege: { cluster: 'monitor' },
  parameters: { flat_settings: 'boolean', timeout: 'time' },
  async handle(request, services) {
    const asked = request.params['metric']?.split(',') ?? ['_all']
    // `/_nodes/{x}` names a node where it is no metric.
    const wanted = asked.filter((name) => infoMetrics.includes(name))
    const all = wanted.length === 0 && !asked.includes('_none')
    const parts: Record<string, unknown> = {
      settings: { cluster: { name: clusterName }, node: { name: services.nodeName } },
      os: {
        name: type(),
        arch: arch(),
        version: release(),
        allocated_processors: availableParallelism(),
        available_processors: availableParallelism(),
      },
      process: { id: process.pid, mlockall: false },
      transport: { bound_address: ['127.0.0.1:9300'], publish_address: '127.0.0.1:9300', profiles: {} },
      http: {
        bound_address: ['127.0.0.1:9200'],
        publish_address: '127.0.0.1:9200',
        max_content_length_in_bytes: 104857600,
      },
      plugins: [],
      ingest: { processors: processorTypes.map(({ type }) => ({ type })) },
    }
    const kept = Object.entries(parts).filter(([name]) => all || wanted.includes(name))
    const nodes = { [services.catalogue.clusterUuid]: { ...node(services), ...Object.fromEntries(kept) } }
    return { json: { _nodes: nodesHeader, cluster_name: clusterName, nodes } }
  },
})

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

const nodesStats = defineRoute({
  name: 'nodes.stats',
  methods: ['GET'],
  paths: ['/_nodes/stats', '/_nodes/stats/{metric}', '/_nodes/{node}/stats', '/_nodes/{node}/stats/{metric}'],
  privilege: { cluster: 'monitor' },
  parameters: {
    timeout: 'time',
    level: ['node', 'indices', 'shards'],
    groups: 'boolean',
    fields: 'list',
    types: 'list',
  },
  async handle(_request, services) {
    const memory = process.memoryUsage()
    const { transport_address, host, ip, roles, attributes, name } = node(services)
    const rows = await Promise.all([...services.catalogue.indices()].map((index) => services.documents.stats(index)))
    const sum = (of: 'documents' | 'deleted' | 'bytes'): number => rows.reduce((total, row) => total + row[of], 0)
    const stats = {
      timestamp: services.now(),
      name,
      transport_address,
      host,
      ip,
      roles,
      attributes,
      indices: { docs: { count: sum('documents'), deleted: sum('deleted') }, store: { size_in_bytes: sum('bytes') } },
      os: {
        timestamp: services.now(),
        cpu: { load_average: Object.fromEntries(loadavg().map((load, at) => [['1m', '5m', '15m'][at], load])) },
        mem: { total_in_bytes: totalmem(), free_in_bytes: freemem(), used_in_bytes: totalmem() - freemem() },
      },
      process: { timestamp: services.now(), mem: { total_virtual_in_bytes: memory.rss } },
      ingest: ingestStats(services),
      jvm: {
        uptime_in_millis: services.now() - services.startedAtMs,
        // The engine's ceiling, which ES_JAVA_OPTS sets, stands for the heap.
        mem: { heap_used_in_bytes: memory.rss, heap_max_in_bytes: services.engineMemoryBytesMax },
      },
    }
    const nodes = { [services.catalogue.clusterUuid]: stats }
    return { json: { _nodes: nodesHeader, cluster_name: clusterName, nodes } }
  },
})

type ClusterSettings = Readonly<Record<string, unknown>>

function flatten(given: ClusterSettings, prefix = ''): [string, string | null][] {
  return Object.entries(given).flatMap(([key, value]): [string, string | null][] =>
    isObject(value) ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value === null ? null : String(value)]],
  )
}

// What clients may store; nothing here is steered by them, so what is unknown is refused rather than believed.
const knownClusterSetting =
  /^(cluster|indices|search|ingest|logger|action|xpack|script|persistent|archived|http|node)\./

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
    await services.store.transaction(() => {
      for (const { kind, entries } of changes) kept.put(kind, merged(kept.get(kind) ?? {}, entries))
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

const clusterState = defineRoute({
  name: 'cluster.state',
  methods: ['GET'],
  paths: ['/_cluster/state', '/_cluster/state/{metric}', '/_cluster/state/{metric}/{index}'],
  privilege: { cluster: 'monitor' },
  parameters: {
    ...indicesOptionParameters,
    ...timeouts,
    local: 'boolean',
    flat_settings: 'boolean',
    wait_for_metadata_version: 'integer',
    wait_for_timeout: 'time',
  },
  async handle(request, services) {
    const metrics = request.params['metric']?.split(',') ?? ['_all']
    const wants = (name: string): boolean => metrics.includes('_all') || metrics.includes(name)
    const id = services.catalogue.clusterUuid
    const found = indicesOf(request, services, 'cluster.state', 'monitor', { expand: ['open', 'closed', 'hidden'] })
    const indices = found.map((index) => [
      index.name,
      {
        state: index.state,
        settings: nestedSettings(index.settings),
        mappings: { _doc: index.mapping },
        aliases: Object.keys(index.aliases),
        mapping_version: index.mappingVersion,
      },
    ])
    const json = {
      cluster_name: clusterName,
      cluster_uuid: id,
      ...(wants('version') ? { version: 1, state_uuid: id } : {}),
      ...(wants('master_node') || wants('cluster_manager_node') ? { master_node: id, cluster_manager_node: id } : {}),
      ...(wants('blocks') ? { blocks: {} } : {}),
      ...(wants('nodes')
        ? { nodes: { [id]: { name: services.nodeName, transport_address: '127.0.0.1:9300', attributes: {} } } }
        : {}),
      ...(wants('metadata')
        ? { metadata: { cluster_uuid: id, cluster_uuid_committed: true, indices: Object.fromEntries(indices) } }
        : {}),
      ...(wants('routing_table')
        ? { routing_table: { indices: Object.fromEntries(found.map(({ name }) => [name, { shards: {} }])) } }
        : {}),
    }
    return { json }
  },
})

const pendingTasks = defineRoute({
  name: 'cluster.pending_tasks',
  methods: ['GET'],
  paths: ['/_cluster/pending_tasks'],
  privilege: { cluster: 'monitor' },
  parameters: { ...timeouts, local: 'boolean' },
  // Changes of the catalogue are done when their request is answered; none is ever pending.
  handle: async () => ({ json: { tasks: [] } }),
})

/** What the cluster, its node and its licence look like. */
export const clusterInfoRoutes: readonly Route[] = [
  license,
  xpack,
  nodesInfo,
  nodesStats,
  getClusterSettings,
  putClusterSettings,
  clusterState,
  pendingTasks,
]
