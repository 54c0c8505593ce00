import { defineRoute, type Route } from '../define-route.ts'
import { commonParameters } from '../parameters.ts'
import { nodesHeader } from '../resources/node.ts'
import { clusterName } from '../resources/root.ts'
import { createRouter } from '../router.ts'

/**
 * `GET /_capabilities`: whether a method and a path lead to one of `routes` that takes these parameters. Capabilities by name are Elasticsearch's own
 * and none of them is known here.
 */
export function capabilitiesOf(routes: readonly Route[]): Route {
  const router = createRouter(routes)
  return defineRoute({
    name: 'capabilities',
    methods: ['GET'],
    paths: ['/_capabilities'],
    privilege: { cluster: 'monitor' },
    parameters: {
      method: 'string',
      path: 'string',
      parameters: 'list',
      capabilities: 'list',
      local_only: 'boolean',
      timeout: 'time',
    },
    async handle({ query }) {
      const match = router.match(String(query['method'] ?? 'GET').toUpperCase(), String(query['path'] ?? '/'))
      const asked = (query['parameters'] ?? []) as readonly string[]
      const capabilities = (query['capabilities'] ?? []) as readonly string[]
      const takes = (route: Route): boolean =>
        asked.every((name) => Object.hasOwn(route.parameters, name) || Object.hasOwn(commonParameters, name))
      const supported = match.kind === 'route' && takes(match.route) && capabilities.length === 0
      return { json: { _nodes: nodesHeader, cluster_name: clusterName, supported } }
    },
  })
}
