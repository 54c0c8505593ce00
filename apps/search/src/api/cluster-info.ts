import { defineRoute, type Route } from './define-route.ts'
import { apiVersion, clusterName } from './root.ts'

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

const pendingTasks = defineRoute({
  name: 'cluster.pending_tasks',
  methods: ['GET'],
  paths: ['/_cluster/pending_tasks'],
  privilege: { cluster: 'monitor' },
  parameters: { ...timeouts, local: 'boolean' },
  // Changes of the catalogue are done when their request is answered; none is ever pending.
  handle: async () => ({ json: { tasks: [] } }),
})

/** The licence, the features and what the cluster is about to do. */
export const clusterInfoRoutes: readonly Route[] = [license, xpack, pendingTasks]
