import { policiesOf } from '../../lifecycle/ilm/policies.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { apiVersion, clusterName } from '../resources/root.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

const changeTimeouts = { timeout: 'time', master_timeout: 'time' } as const

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

const basicStatus = defineRoute({
  name: 'license.get_basic_status',
  methods: ['GET'],
  paths: ['/_license/basic_status'],
  privilege: { cluster: 'manage' },
  parameters: {},
  handle: async () => ({ json: { eligible_to_start_basic: false } }),
})

const trialStatus = defineRoute({
  name: 'license.get_trial_status',
  methods: ['GET'],
  paths: ['/_license/trial_status'],
  privilege: { cluster: 'manage' },
  parameters: {},
  // There is nothing beyond what everybody has.
  handle: async () => ({ json: { eligible_to_start_trial: false } }),
})

const startBasic = defineRoute({
  name: 'license.post_start_basic',
  methods: ['POST'],
  paths: ['/_license/start_basic'],
  privilege: { cluster: 'manage' },
  parameters: { ...changeTimeouts, acknowledge: 'boolean' },
  async handle() {
    const error_message = 'Operation failed: Current license is basic.'
    return { status: 403, json: { acknowledged: true, basic_was_started: false, error_message } }
  },
})

const startTrial = defineRoute({
  name: 'license.post_start_trial',
  methods: ['POST'],
  paths: ['/_license/start_trial'],
  privilege: { cluster: 'manage' },
  parameters: { ...changeTimeouts, acknowledge: 'boolean', type: 'string' },
  // As a cluster answers that had its trial, also before it is acknowledged: there are no terms to agree to.
  async handle() {
    const error_message = 'Operation failed: Trial was already activated.'
    return { status: 403, json: { acknowledged: true, trial_was_started: false, error_message } }
  },
})

const features = {
  data_streams: true,
  eql: true,
  ilm: true,
  logstash: false,
  ml: false,
  monitoring: false,
  security: true,
  sql: false,
  transform: false,
  watcher: false,
} as const

/** What the features are used for, where there is something to count. */
const usage: Readonly<Partial<Record<keyof typeof features, (services: Services) => object>>> = {
  data_streams: ({ catalogue }) => {
    const streams = [...catalogue.dataStreams()]
    return {
      data_streams: streams.length,
      indices_count: streams.reduce((sum, { indices }) => sum + indices.length, 0),
    }
  },
  ilm: ({ store }) => ({ policy_count: [...policiesOf(store).entries()].length }),
  security: ({ audit }) => ({
    ssl: { http: { enabled: true }, transport: { enabled: false } },
    audit: { enabled: audit.includes('security_config_change') },
    token_service: { enabled: true },
    api_key_service: { enabled: true },
    anonymous: { enabled: false },
  }),
}

const xpackUsage = defineRoute({
  name: 'xpack.usage',
  methods: ['GET'],
  paths: ['/_xpack/usage'],
  privilege: { cluster: 'monitor' },
  parameters: { master_timeout: 'time' },
  async handle(_request, services) {
    const names = Object.keys(features) as (keyof typeof features)[]
    const json = names.map((name) => {
      const counts = features[name] ? usage[name]?.(services) : undefined
      return [name, { available: features[name], enabled: features[name], ...counts }]
    })
    return { json: Object.fromEntries(json) }
  },
})

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
      features: Object.fromEntries(
        Object.entries(features).map(([name, isHere]) => [name, { available: isHere, enabled: isHere }]),
      ),
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
export const clusterInfoRoutes: readonly Route[] = [
  license,
  basicStatus,
  trialStatus,
  startBasic,
  startTrial,
  xpack,
  xpackUsage,
  pendingTasks,
]
