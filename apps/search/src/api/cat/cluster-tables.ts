import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os'
import { clusterHealth } from '../cluster/cluster-health.ts'
import { heapOf } from '../cluster/nodes-stats.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { apiVersion } from '../resources/root.ts'
import { type CatColumn, catAnswer, catParameters } from './table.ts'

type Health = ReturnType<typeof clusterHealth> & { nowMs: number }

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19)

const healthColumns: readonly CatColumn<Health>[] = [
  {
    name: 'epoch',
    aliases: ['t', 'time'],
    description: 'seconds since 1970-01-01 00:00:00',
    shown: true,
    cell: ({ nowMs }) => Math.floor(nowMs / 1000),
  },
  {
    name: 'timestamp',
    aliases: ['ts', 'hms', 'hhmmss'],
    description: 'time in HH:MM:SS',
    shown: true,
    cell: ({ nowMs }) => clock(nowMs),
  },
  { name: 'cluster', aliases: ['cl'], description: 'cluster name', shown: true, cell: (row) => row.cluster_name },
  { name: 'status', aliases: ['st'], description: 'health status', shown: true, cell: (row) => row.status },
  {
    name: 'node.total',
    aliases: ['nt', 'nodeTotal'],
    description: 'total number of nodes',
    shown: true,
    right: true,
    cell: () => 1,
  },
  {
    name: 'node.data',
    aliases: ['nd', 'nodeData'],
    description: 'number of nodes that can store data',
    shown: true,
    right: true,
    cell: () => 1,
  },
  {
    name: 'shards',
    aliases: ['t', 'sh', 'shards.total', 'shardsTotal'],
    description: 'total number of shards',
    shown: true,
    right: true,
    cell: (row) => row.active_shards,
  },
  {
    name: 'pri',
    aliases: ['p', 'shards.primary', 'shardsPrimary'],
    description: 'number of primary shards',
    shown: true,
    right: true,
    cell: (row) => row.active_primary_shards,
  },
  {
    name: 'relo',
    aliases: ['r', 'shards.relocating', 'shardsRelocating'],
    description: 'number of relocating nodes',
    shown: true,
    right: true,
    cell: () => 0,
  },
  {
    name: 'init',
    aliases: ['i', 'shards.initializing', 'shardsInitializing'],
    description: 'number of initializing nodes',
    shown: true,
    right: true,
    cell: () => 0,
  },
  {
    name: 'unassign',
    aliases: ['u', 'shards.unassigned', 'shardsUnassigned'],
    description: 'number of unassigned shards',
    shown: true,
    right: true,
    cell: (row) => row.unassigned_shards,
  },
  {
    name: 'unassign.pri',
    aliases: ['up', 'shards.unassigned.primary', 'shardsUnassignedPrimary'],
    description: 'number of unassigned primary shards',
    shown: true,
    right: true,
    cell: () => 0,
  },
  {
    name: 'pending_tasks',
    aliases: ['pt', 'pendingTasks'],
    description: 'number of pending tasks',
    shown: true,
    right: true,
    cell: () => 0,
  },
  {
    name: 'max_task_wait_time',
    aliases: ['mtwt', 'maxTaskWaitTime'],
    description: 'wait time of longest task pending',
    shown: true,
    right: true,
    cell: () => '-',
  },
  {
    name: 'active_shards_percent',
    aliases: ['asp', 'activeShardsPercent'],
    description: 'active number of shards in percent',
    shown: true,
    right: true,
    cell: (row) => `${row.active_shards_percent_as_number.toFixed(1)}%`,
  },
]

const catHealth = defineRoute({
  name: 'cat.health',
  methods: ['GET'],
  paths: ['/_cat/health'],
  privilege: { cluster: 'monitor' },
  parameters: { ...catParameters, ts: 'boolean' },
  async handle(request, { catalogue, now }) {
    const columns = request.query['ts'] === false ? healthColumns.slice(2) : healthColumns
    return catAnswer(request, columns, () => [{ ...clusterHealth([...catalogue.indices()]), nowMs: now() }])
  },
})

interface Node {
  readonly name: string
  readonly id: string
  readonly uptimeMs: number
  readonly heap: ReturnType<typeof heapOf>
  readonly httpAddress: string
}

const node = (
  name: string,
  aliases: readonly string[],
  description: string,
  cell: CatColumn<Node>['cell'],
  shown = true,
  right = false,
): CatColumn<Node> => ({
  name,
  aliases,
  description,
  cell,
  shown,
  right,
})

const load = (at: number): string => (loadavg()[at] ?? 0).toFixed(2)

/** How much of the machine's processors the last minute asked for. */
const cpuPercent = (): number => Math.min(100, Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 100))

const nodeColumns: readonly CatColumn<Node>[] = [
  node('id', ['nodeId'], 'unique node id', ({ id }) => id, false),
  node('pid', ['p'], 'process id', () => process.pid, false, true),
  node('ip', ['i'], 'ip address', () => '127.0.0.1'),
  node('port', ['po'], 'bound transport port', () => 9300, false, true),
  node('http_address', ['http'], 'bound http address', ({ httpAddress }) => httpAddress, false),
  node('version', ['v'], 'es version', () => apiVersion.number, false),
  node('type', ['t'], 'es distribution type', () => apiVersion.build_type, false),
  node(
    'heap.percent',
    ['hp', 'heapPercent'],
    'used heap ratio',
    ({ heap }) => Math.round((heap.heap_used_in_bytes / heap.heap_max_in_bytes) * 100),
    true,
    true,
  ),
  node(
    'heap.max',
    ['hm', 'heapMax'],
    'max configured heap',
    ({ heap }) => ({ bytes: heap.heap_max_in_bytes }),
    false,
    true,
  ),
  node(
    'ram.percent',
    ['rp', 'ramPercent'],
    'used machine memory ratio',
    () => Math.round((1 - freemem() / totalmem()) * 100),
    true,
    true,
  ),
  node('ram.max', ['rm', 'ramMax'], 'total machine memory', () => ({ bytes: totalmem() }), false, true),
  node('cpu', [], 'recent cpu usage', cpuPercent, true, true),
  node('load_1m', ['l'], '1m load avg', () => load(0), true, true),
  node('load_5m', ['l'], '5m load avg', () => load(1), true, true),
  node('load_15m', ['l'], '15m load avg', () => load(2), true, true),
  node('uptime', ['u'], 'node uptime', ({ uptimeMs }) => ({ ms: uptimeMs }), false, true),
  node('node.role', ['r', 'role', 'nodeRole'], 'm:master eligible node, d:data node, i:ingest node', () => 'dim'),
  node('master', ['m'], '*:current master', () => '*'),
  node('name', ['n'], 'node name', ({ name }) => name),
]

const catNodes = defineRoute({
  name: 'cat.nodes',
  methods: ['GET'],
  paths: ['/_cat/nodes'],
  privilege: { cluster: 'monitor' },
  parameters: { ...catParameters, full_id: 'boolean', include_unloaded_segments: 'boolean' },
  handle(request, services) {
    const { nodeName, catalogue, now, startedAtMs } = services
    return catAnswer(request, nodeColumns, () => [
      {
        name: nodeName,
        id: request.query['full_id'] === true ? catalogue.clusterUuid : catalogue.clusterUuid.slice(0, 4),
        uptimeMs: now() - startedAtMs,
        heap: heapOf(services),
        httpAddress: services.http.publishAddress,
      },
    ])
  },
})

const masterColumns: readonly CatColumn<Pick<Node, 'name' | 'id'>>[] = [
  { name: 'id', description: 'node id', shown: true, cell: ({ id }) => id },
  { name: 'host', aliases: ['h'], description: 'host name', shown: true, cell: () => hostname() },
  { name: 'ip', description: 'ip address ', shown: true, cell: () => '127.0.0.1' },
  { name: 'node', aliases: ['n'], description: 'node name', shown: true, cell: ({ name }) => name },
]

const catMaster = defineRoute({
  name: 'cat.master',
  methods: ['GET'],
  paths: ['/_cat/master', '/_cat/cluster_manager'],
  privilege: { cluster: 'monitor' },
  parameters: { ...catParameters, cluster_manager_timeout: 'time' },
  handle: (request, { nodeName, catalogue }) =>
    catAnswer(request, masterColumns, () => [{ name: nodeName, id: catalogue.clusterUuid }]),
})

/** `_cat` tables about the cluster and its node. */
export const clusterTables: readonly Route[] = [catHealth, catNodes, catMaster]
