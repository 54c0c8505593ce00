import { shardsOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { meansThisNode, nodesHeader } from '../resources/node.ts'
import { apiVersion, clusterName } from '../resources/root.ts'
import { analysisStats } from './analysis-stats.ts'
import { clusterHealth } from './cluster-health.ts'
import { machine } from './nodes-info.ts'
import { allIndices, fileSystem, heapOf, machineMemory } from './nodes-stats.ts'

const roles = ['cluster_manager', 'coordinating_only', 'data', 'ingest', 'master'] as const

/** How often each field type stands in mappings. */
function fieldTypes(indices: readonly IndexMeta[]): { name: string; count: number; index_count: number }[] {
  const types = new Map<string, { count: number; readonly indices: Set<string> }>()
  const visit = (properties: unknown, index: string): void => {
    if (typeof properties !== 'object' || properties === null) return
    for (const field of Object.values(properties) as Readonly<Record<string, unknown>>[]) {
      const type = String(field['type'] ?? 'object')
      const known = types.get(type) ?? { count: 0, indices: new Set<string>() }
      types.set(type, known)
      known.count++
      known.indices.add(index)
      visit(field['properties'], index)
      visit(field['fields'], index)
    }
  }
  for (const { name, mapping } of indices) visit(mapping.properties, name)
  return [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { count, indices: carriers }]) => ({ name, count, index_count: carriers.size }))
}

function shardFigures(indices: readonly IndexMeta[]): Record<string, unknown> {
  const primaries = indices.map((index) => shardsOf(index).primaries)
  const total = primaries.reduce((sum, each) => sum + each, 0)
  if (indices.length === 0) return {}
  const spread = { min: Math.min(...primaries), max: Math.max(...primaries), avg: total / indices.length }
  const none = { min: 0, max: 0, avg: 0 }
  return { total, primaries: total, replication: 0, index: { shards: spread, primaries: spread, replication: none } }
}

const sections = ['docs', 'store', 'fielddata', 'query_cache', 'completion', 'segments']

/** The cluster at a glance. */
export const clusterStatsRoute: Route = defineRoute({
  name: 'cluster.stats',
  methods: ['GET'],
  paths: ['/_cluster/stats', '/_cluster/stats/nodes/{node}'],
  privilege: { cluster: 'monitor' },
  parameters: { timeout: 'time', include_remotes: 'boolean' },
  async handle(request, services) {
    const { catalogue, nodeName } = services
    const asked = request.params['node']?.split(',') ?? ['_all']
    const here = meansThisNode(asked, { nodeName, clusterUuid: catalogue.clusterUuid })
    const indices = [...catalogue.indices()]
    const count = here ? 1 : 0
    const nodes = {
      count: {
        total: count,
        ...Object.fromEntries(roles.map((role) => [role, role === 'coordinating_only' ? 0 : count])),
      },
      versions: [apiVersion.number],
      os: { ...machine(), names: [{ name: machine()['name'], count }], mem: machineMemory() },
      process: { cpu: { percent: 0 }, open_file_descriptors: { min: 0, max: 0, avg: 0 } },
      jvm: {
        max_uptime_in_millis: services.now() - services.startedAtMs,
        versions: [],
        mem: heapOf(services),
        threads: 1,
      },
      fs: (await fileSystem(services))['total'],
      plugins: [],
      network_types: { transport_types: { tcp: count }, http_types: { https: count } },
      discovery_types: { 'single-node': count },
      packaging_types: [{ flavor: apiVersion.build_flavor, type: apiVersion.build_type, count }],
    }
    const json = {
      _nodes: { ...nodesHeader, total: count, successful: count },
      cluster_uuid: catalogue.clusterUuid,
      cluster_name: clusterName,
      timestamp: services.now(),
      status: clusterHealth(indices).status,
      indices: {
        count: indices.length,
        shards: shardFigures(indices),
        ...(await allIndices(services, sections)),
        mappings: { field_types: fieldTypes(indices) },
        analysis: analysisStats(indices),
      },
      nodes,
    }
    return { json }
  },
})
