import { defineRoute, type Route } from '../define-route.ts'
import { nodesHeader } from '../resources/node.ts'
import { clusterName } from '../resources/root.ts'

/** What is kept of security beside the store, as Elasticsearch names it: where it is cleared, and who may. Only logins are kept here. */
const caches = [
  ['realms', '/_security/realm/{realms}/_clear_cache', 'manage_security'],
  ['roles', '/_security/role/{name}/_clear_cache', 'manage_security'],
  ['privileges', '/_security/privilege/{application}/_clear_cache', 'manage_security'],
  ['api_keys', '/_security/api_key/{ids}/_clear_cache', 'manage_security'],
  [
    'service_tokens',
    '/_security/service/{namespace}/{service}/credential/token/{name}/_clear_cache',
    'manage_security',
  ],
] as const

/** `_clear_cache` of security: whoever logs in next is looked at anew. */
export const securityCacheRoutes: readonly Route[] = caches.map(([what, path, cluster]) =>
  defineRoute({
    name: `security.clear_cached_${what}`,
    methods: ['POST'],
    paths: [path],
    privilege: { cluster },
    parameters: what === 'realms' ? { usernames: 'list' } : {},
    async handle({ query: { usernames } }, { security, catalogue, nodeName }) {
      if (what === 'realms') security.forgetLogins(Array.isArray(usernames) ? usernames.map(String) : undefined)
      const nodes = { [catalogue.clusterUuid]: { name: nodeName } }
      return { json: { _nodes: nodesHeader, cluster_name: clusterName, nodes } }
    },
  }),
)
