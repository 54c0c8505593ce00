import type { ApplicationGrant, Role, RoleIndexGrant } from './role.ts'

interface Grants {
  readonly cluster?: readonly string[]
  readonly indices?: readonly RoleIndexGrant[]
  readonly applications?: readonly ApplicationGrant[]
  readonly run_as?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

function reserved({ cluster = [], indices = [], applications = [], run_as = [], metadata = {} }: Grants): Role {
  return {
    cluster,
    indices,
    applications,
    run_as,
    metadata: { _reserved: true, ...metadata },
    transient_metadata: { enabled: true },
  }
}

/** The role of a program that comes with a token of its own. */
export function serviceRole(cluster: readonly string[], indices: readonly RoleIndexGrant[]): Role {
  return { ...reserved({ cluster, indices }), metadata: {} }
}

const on = (names: readonly string[], ...privileges: string[]): RoleIndexGrant => ({ names: [...names], privileges })
const alsoRestricted = (grant: RoleIndexGrant): RoleIndexGrant => ({ ...grant, allow_restricted_indices: true })
const within = (application: string, ...privileges: string[]): ApplicationGrant => ({
  application,
  privileges,
  resources: ['*'],
})
const deprecated = (reason: string) => ({ _deprecated: true, _deprecated_reason: reason })

/** What a dashboard in Kibana's place does by itself. */
export const kibanaGrants = {
  cluster: [
    ...['monitor', 'manage_index_templates', 'manage_pipeline', 'manage_ilm', 'manage_own_api_key', 'manage_token'],
    ...['grant_api_key', 'cancel_task'],
  ],
  indices: [
    on(['.kibana*', '.reporting-*', '.apm-*', '.alerts-*', '.fleet-*'], 'all'),
    on(['*'], 'monitor', 'view_index_metadata'),
  ],
} as const

const monitoring = ['monitor', 'cluster:admin/xpack/monitoring/bulk']
const mlIndices = on(
  ['.ml-anomalies*', '.ml-notifications*', '.ml-state*', '.ml-meta*', '.ml-stats-*'],
  'view_index_metadata',
  'read',
)
const transformIndices = on(
  ['.transform-notifications-*', '.data-frame-notifications-*', '.transform-notifications-read'],
  'view_index_metadata',
  'read',
)
const watcherIndices = (...privileges: string[]) =>
  on(['.watches', '.triggered_watches', '.watcher-history-*'], ...privileges)

/** Roles that exist without being made, and cannot be changed. */
export const reservedRoles: Readonly<Record<string, Role>> = {
  superuser: reserved({
    cluster: ['all'],
    indices: [alsoRestricted(on(['*'], 'all'))],
    applications: [within('*', '*')],
    run_as: ['*'],
  }),
  viewer: reserved({
    indices: [on(['/[^.].*/'], 'read', 'view_index_metadata')],
    applications: [within('kibana-.kibana', 'read')],
  }),
  editor: reserved({
    indices: [
      on(['/[^.].*/'], 'read', 'view_index_metadata'),
      on(['observability-annotations'], 'read', 'view_index_metadata', 'write'),
    ],
    applications: [within('kibana-.kibana', 'all')],
  }),
  apm_system: reserved({ cluster: monitoring, indices: [on(['.monitoring-beats-*'], 'create_index', 'create_doc')] }),
  beats_admin: reserved({ indices: [on(['.management-beats'], 'all')] }),
  beats_system: reserved({ cluster: monitoring, indices: [on(['.monitoring-beats-*'], 'create_index', 'create')] }),
  enrich_user: reserved({
    cluster: ['manage_enrich', 'manage_ingest_pipelines', 'monitor'],
    indices: [on(['.enrich-*'], 'manage', 'read', 'write')],
  }),
  ingest_admin: reserved({ cluster: ['manage_index_templates', 'manage_pipeline'] }),
  kibana_admin: reserved({ applications: [within('kibana-.kibana', 'all')] }),
  kibana_system: reserved(kibanaGrants),
  kibana_user: reserved({
    applications: [within('kibana-.kibana', 'all')],
    metadata: deprecated('Please use the [kibana_admin] role instead'),
  }),
  logstash_admin: reserved({
    cluster: ['manage_logstash_pipelines'],
    indices: [alsoRestricted(on(['.logstash*'], 'create', 'delete', 'index', 'manage', 'read'))],
  }),
  logstash_system: reserved({ cluster: monitoring }),
  machine_learning_admin: reserved({ cluster: ['manage_ml'], indices: [mlIndices] }),
  machine_learning_user: reserved({ cluster: ['monitor_ml'], indices: [mlIndices] }),
  monitoring_user: reserved({
    cluster: ['cluster:monitor/main', 'cluster:monitor/xpack/info', 'cluster:monitor/remote/info'],
    indices: [on(['.monitoring-*', '/metrics-(beats|elasticsearch|kibana|logstash).*/'], 'read', 'read_cross_cluster')],
    applications: [within('kibana-*', 'reserved_monitoring')],
  }),
  remote_monitoring_agent: reserved({
    cluster: ['manage_index_templates', 'manage_ingest_pipelines', 'monitor', 'manage_ilm'],
    indices: [on(['.monitoring-*'], 'all'), on(['metricbeat-*'], 'index', 'create_index', 'view_index_metadata')],
  }),
  remote_monitoring_collector: reserved({
    cluster: ['monitor'],
    indices: [alsoRestricted(on(['*'], 'monitor')), alsoRestricted(on(['.kibana*'], 'read'))],
  }),
  rollup_admin: reserved({ cluster: ['manage_rollup'] }),
  rollup_user: reserved({ cluster: ['monitor_rollup'] }),
  snapshot_user: reserved({
    cluster: ['create_snapshot', 'cluster:admin/repository/get'],
    indices: [alsoRestricted(on(['*'], 'view_index_metadata'))],
  }),
  transform_admin: reserved({ cluster: ['manage_transform'], indices: [transformIndices] }),
  transform_user: reserved({ cluster: ['monitor_transform'], indices: [transformIndices] }),
  transport_client: reserved({ cluster: ['transport_client'] }),
  watcher_admin: reserved({ cluster: ['manage_watcher'], indices: [watcherIndices('read')] }),
  watcher_user: reserved({ cluster: ['monitor_watcher'], indices: [watcherIndices('read')] }),
}
