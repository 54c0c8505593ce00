import { defineRoute, type Route } from '../define-route.ts'
import { clusterName } from '../resources/root.ts'
import { chosen, nodeMetrics } from './nodes-stats.ts'

const targets = ['http', 'ingest', 'thread_pool', 'script'] as const

/** `GET /_info/{target}`: figures of the whole cluster, which are those of its node. */
export const infoRoute: Route = defineRoute({
  name: 'cluster.info',
  methods: ['GET'],
  paths: ['/_info/{target}'],
  privilege: { cluster: 'monitor' },
  parameters: {},
  async handle(request, services) {
    const wanted = chosen(request.path, request.params['target'], targets, 'target')
    const shown = await Promise.all(wanted.map(async (name) => [name, await nodeMetrics[name]?.(services, [])]))
    return { json: { cluster_name: clusterName, ...Object.fromEntries(shown) } }
  },
})
