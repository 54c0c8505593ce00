import { arch, availableParallelism, release, type } from 'node:os'
import { aggregationKinds } from '../../dsl/aggregations/value-kinds.ts'
import { processorTypes } from '../../ingest/processors/index.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { describeNode, meansThisNode, nodesHeader } from '../resources/node.ts'
import { clusterName } from '../resources/root.ts'

/** What the machine is. */
export function machine(): Record<string, unknown> {
  return {
    name: type(),
    pretty_name: `${type()} ${release()}`,
    arch: arch(),
    version: release(),
    available_processors: availableParallelism(),
    allocated_processors: availableParallelism(),
  }
}

type Metric = (services: Services, flat: boolean) => unknown

const metrics: Readonly<Record<string, Metric>> = {
  settings: ({ nodeName }, flat) =>
    flat
      ? { 'cluster.name': clusterName, 'node.name': nodeName, 'client.type': 'node' }
      : { cluster: { name: clusterName }, node: { name: nodeName }, client: { type: 'node' } },
  os: machine,
  process: () => ({ refresh_interval_in_millis: 1000, id: process.pid, mlockall: false }),
  jvm: (services) => ({
    pid: process.pid,
    version: process.version,
    vm_name: 'Node.js',
    start_time_in_millis: services.startedAtMs,
    mem: { heap_max_in_bytes: services.engineMemoryBytesMax },
    gc_collectors: [],
    memory_pools: [],
  }),
  thread_pool: () => ({}),
  transport: () => ({ bound_address: ['127.0.0.1:9300'], publish_address: '127.0.0.1:9300', profiles: {} }),
  http: ({ http }) => ({
    bound_address: [http.boundAddress],
    publish_address: http.publishAddress,
    max_content_length_in_bytes: http.bodyBytesMax,
  }),
  plugins: () => [],
  // What Elasticsearch ships as a module and clients look for before they use it.
  modules: () => modules,
  aggregations: aggregationKinds,
  ingest: () => ({ processors: processorTypes.map(({ type: processor }) => ({ type: processor })) }),
  indices: () => ({}),
}

const modules = Object.entries({
  'aggs-matrix-stats': 'the aggregation matrix_stats',
  'analysis-common': 'analyzers, tokenizers and filters',
  'ingest-common': 'processors of ingest pipelines',
  'ingest-geoip': 'the processor geoip',
  'ingest-user-agent': 'the processor user_agent',
  'lang-mustache': 'search templates',
  'lang-painless': 'scripts',
  reindex: 'by-query jobs',
}).map(([name, description]) => ({ name, description }))

/** What the node is made of. */
export const nodesInfoRoute: Route = defineRoute({
  name: 'nodes.info',
  methods: ['GET'],
  paths: ['/_nodes', '/_nodes/{metric}', '/_nodes/{node}/{metric}', '/_nodes/{node}/info/{metric}'],
  privilege: { cluster: 'monitor' },
  parameters: { flat_settings: 'boolean', timeout: 'time' },
  async handle(request, services) {
    const asked = request.params['metric']?.split(',') ?? ['_all']
    const wanted = asked.filter((name) => Object.hasOwn(metrics, name))
    // `/_nodes/{x}` names a node where it is no metric.
    const named = request.params['node'] ?? (wanted.length === 0 ? asked.join(',') : '_all')
    const { clusterUuid } = services.catalogue
    const { nodeName } = services
    if (named !== '_none' && !meansThisNode(named.split(','), { nodeName, clusterUuid })) {
      return { json: { _nodes: { total: 0, successful: 0, failed: 0 }, cluster_name: clusterName, nodes: {} } }
    }
    const all = wanted.length === 0 && !asked.includes('_none')
    const flat = request.query['flat_settings'] === true
    const kept = Object.entries(metrics)
      .filter(([name]) => all || wanted.includes(name))
      .map(([name, show]) => [name, show(services, flat)])
    const memory =
      all || wanted.includes('total_indexing_buffer') ? { total_indexing_buffer_in_bytes: indexingBufferBytes } : {}
    const nodes = { [clusterUuid]: { ...describeNode(services), ...memory, ...Object.fromEntries(kept) } }
    return { json: { _nodes: nodesHeader, cluster_name: clusterName, nodes } }
  },
})

/** What the write path holds of waiting documents at most. */
const indexingBufferBytes = 256 * 1024 ** 2
