import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { aggregationUses } from '../../plan/buckets/aggregation-uses.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { meansThisNode, nodesHeader } from '../resources/node.ts'
import { clusterName } from '../resources/root.ts'
import { restActions } from './uses.ts'

/** An answer about the one node, where the request means it. */
function ofNode({ params }: RouteRequest, services: Services, show: () => object): RouteAnswer {
  const { clusterUuid } = services.catalogue
  const { nodeName } = services
  const isMeant = params['node'] === undefined || meansThisNode(params['node'].split(','), { nodeName, clusterUuid })
  return {
    json: {
      _nodes: isMeant ? nodesHeader : { total: 0, successful: 0, failed: 0 },
      cluster_name: clusterName,
      nodes: isMeant ? { [clusterUuid]: show() } : {},
    },
  }
}

const metrics = ['rest_actions', 'aggregations'] as const

const usage = defineRoute({
  name: 'nodes.usage',
  methods: ['GET'],
  paths: ['/_nodes/usage', '/_nodes/usage/{metric}', '/_nodes/{node}/usage', '/_nodes/{node}/usage/{metric}'],
  privilege: { cluster: 'monitor' },
  parameters: { timeout: 'time' },
  async handle(request, services) {
    const asked = request.params['metric']?.split(',') ?? ['_all']
    const unknown = asked.filter((name) => name !== '_all' && !metrics.some((known) => known === name))
    if (unknown.length > 0) {
      const named = unknown.map((name) => `[${name}]`).join(', ')
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `request [${request.path}] contains unrecognized metric${unknown.length > 1 ? 's' : ''}: ${named}`,
      )
    }
    const wants = (name: (typeof metrics)[number]): boolean => asked.includes('_all') || asked.includes(name)
    return ofNode(request, services, () => ({
      timestamp: services.now(),
      since: services.startedAtMs,
      ...(wants('rest_actions') ? { rest_actions: restActions(services) } : {}),
      ...(wants('aggregations') ? { aggregations: aggregationUses(services.catalogue) } : {}),
    }))
  },
})

const wrongPassword = {
  type: 'security_exception',
  reason: 'Provided keystore password was incorrect',
} as const

const reload = defineRoute({
  name: 'nodes.reload_secure_settings',
  methods: ['POST'],
  paths: ['/_nodes/reload_secure_settings', '/_nodes/{node}/reload_secure_settings'],
  privilege: { cluster: 'manage' },
  parameters: { timeout: 'time' },
  async handle(request, services) {
    const body = request.json()
    const unknown = isObject(body) ? Object.keys(body).find((name) => name !== 'secure_settings_password') : undefined
    if (unknown !== undefined)
      throw new AppError(
        searchErrors.x_content_parse_exception,
        `[1:1] [reload_secure_settings] unknown field [${unknown}]`,
      )
    // The one secret that may change while search runs, the file of the keys of an S3 store, is read whenever it is needed.
    const isLocked = isObject(body) && (body['secure_settings_password'] ?? '') !== ''
    return ofNode(request, services, () => ({
      name: services.nodeName,
      // There is no store of secrets with a password: any is wrong.
      ...(isLocked ? { reload_exception: wrongPassword } : {}),
    }))
  },
})

/** What is used of the node, and the reading of its secrets anew. */
export const nodesUsageRoutes: readonly Route[] = [usage, reload]
