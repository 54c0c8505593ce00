/** The kinds of privileges: of the cluster, and of indices. */
export type PrivilegeLevel = 'cluster' | 'index'

/** What a privilege lets through: names of actions, a `*` at their end for all that begin so. */
export interface PrivilegeActions {
  readonly actions: readonly string[]
  /** What of that it does not. */
  readonly except?: readonly string[]
}

const admin = (...names: readonly string[]): string[] => names.map((name) => `cluster:admin/${name}`)
const security = (...names: readonly string[]): string[] => names.map((name) => `cluster:admin/xpack/security/${name}`)
const monitor = (...names: readonly string[]): string[] => names.map((name) => `cluster:monitor/${name}`)
const indexAdmin = (...names: readonly string[]): string[] => names.map((name) => `indices:admin/${name}`)

const readPipeline = admin('ingest/pipeline/get', 'ingest/pipeline/simulate')
const monitorSnapshot = [...admin('snapshot/status*', 'snapshot/get', 'repository/get')]
const inference = 'cluster:monitor/xpack/inference*'
const monitorMl = [...monitor('xpack/ml/*')]
const monitorTransform = monitor('data_frame/*', 'transform/*')
const ownKeys = security('api_key/create', 'api_key/query', 'api_key/update', 'api_key/bulk_update')

/** What each privilege of the cluster lets through, as Elasticsearch 8.19 was seen to. */
const clusterPrivileges: Readonly<Record<string, PrivilegeActions>> = {
  all: { actions: ['*'] },
  cancel_task: { actions: admin('tasks/cancel*') },
  create_snapshot: { actions: [...monitorSnapshot, ...admin('snapshot/create')] },
  cross_cluster_replication: { actions: ['cluster:internal/xpack/ccr/*', ...monitor('state', 'xpack/info')] },
  cross_cluster_search: { actions: ['cluster:internal/remote_cluster/*', ...monitor('stats', 'xpack/info')] },
  delegate_pki: { actions: security('delegate_pki', 'token/invalidate') },
  grant_api_key: { actions: security('api_key/grant*') },
  manage: {
    actions: ['cluster:*', ...indexAdmin('template/*', 'index_template/*')],
    except: ['cluster:admin/xpack/security/*'],
  },
  manage_api_key: { actions: security('api_key/*') },
  manage_autoscaling: { actions: admin('autoscaling/*') },
  manage_behavioral_analytics: { actions: admin('xpack/application/analytics/*') },
  manage_ccr: { actions: [...admin('xpack/ccr/*'), ...monitor('state'), ...security('user/has_privileges')] },
  // Without the secrets of connectors.
  manage_connector: {
    actions: [
      ...admin('xpack/connector/delete', 'xpack/connector/get', 'xpack/connector/list', 'xpack/connector/post'),
      ...admin('xpack/connector/put', 'xpack/connector/update*', 'xpack/connector/sync_job/*'),
    ],
  },
  manage_data_frame_transforms: { actions: [...admin('data_frame/*', 'transform/*'), ...monitorTransform] },
  manage_data_stream_global_retention: { actions: [] },
  manage_enrich: { actions: [...admin('xpack/enrich/*'), ...monitor('xpack/enrich/*')] },
  manage_ilm: { actions: admin('ilm/*') },
  manage_index_templates: {
    actions: [...indexAdmin('template/*', 'index_template/*'), ...admin('component_template/*')],
  },
  manage_inference: { actions: ['cluster:admin/xpack/inference/*', inference] },
  manage_ingest_pipelines: { actions: admin('ingest/pipeline/*') },
  manage_logstash_pipelines: { actions: admin('logstash/pipeline/*') },
  manage_ml: { actions: [...admin('xpack/ml/*'), ...monitorMl] },
  manage_oidc: { actions: security('oidc/*') },
  manage_own_api_key: { actions: ownKeys },
  manage_pipeline: { actions: admin('ingest/pipeline/*') },
  manage_rollup: { actions: [...admin('xpack/rollup/*'), ...monitor('xpack/rollup/*')] },
  manage_saml: { actions: security('saml/*', 'token/invalidate', 'token/refresh') },
  manage_search_application: { actions: admin('xpack/application/search_application/*') },
  manage_search_query_rules: { actions: admin('xpack/query/rules/*') },
  manage_search_synonyms: { actions: admin('synonyms/*', 'synonym_rules/*') },
  manage_security: { actions: security('*') },
  manage_service_account: { actions: security('service_account/*') },
  manage_slm: { actions: admin('slm/*') },
  manage_token: { actions: security('token/*') },
  manage_transform: { actions: [...admin('data_frame/*', 'transform/*'), ...monitorTransform] },
  manage_user_profile: { actions: security('profile/*') },
  manage_watcher: { actions: [...admin('xpack/watcher/*'), ...monitor('xpack/watcher/*')] },
  monitor: {
    actions: [...monitor('*'), ...indexAdmin('template/get', 'index_template/get'), ...admin('component_template/get')],
  },
  monitor_connector: { actions: admin('xpack/connector/get', 'xpack/connector/list', 'xpack/connector/sync_job/get') },
  monitor_data_frame_transforms: { actions: monitorTransform },
  monitor_data_stream_global_retention: { actions: [] },
  monitor_enrich: { actions: monitor('xpack/enrich/*') },
  monitor_inference: { actions: [inference] },
  monitor_ml: { actions: monitorMl },
  monitor_rollup: { actions: monitor('xpack/rollup/*') },
  monitor_snapshot: { actions: monitorSnapshot },
  monitor_stats: { actions: monitor('stats*') },
  monitor_text_structure: { actions: monitor('text_structure/*') },
  monitor_transform: { actions: monitorTransform },
  monitor_watcher: { actions: monitor('xpack/watcher/*') },
  none: { actions: [] },
  post_behavioral_analytics_event: { actions: admin('xpack/application/analytics/post_event') },
  read_ccr: { actions: [...monitor('state'), ...security('user/has_privileges')] },
  read_connector_secrets: { actions: admin('xpack/connector/secret/get') },
  read_fleet_secrets: { actions: admin('fleet/secrets/get') },
  read_ilm: { actions: admin('ilm/get', 'ilm/operation_mode/get') },
  read_pipeline: { actions: readPipeline },
  read_security: {
    actions: [
      ...security('api_key/get', 'api_key/query', 'privilege/builtin/get', 'privilege/get', 'profile/get'),
      ...security('profile/has_privileges', 'profile/suggest', 'role/get', 'role/query', 'role_mapping/get'),
      ...security('service_account/get', 'service_account/credential/get*', 'user/get', 'user/query'),
      ...security('user/has_privileges', 'user/list_privileges', 'user/profile/get', 'settings/get'),
    ],
  },
  read_slm: { actions: admin('slm/get', 'slm/stats', 'slm/status') },
  transport_client: { actions: monitor('nodes/liveness', 'state') },
  write_connector_secrets: { actions: admin('xpack/connector/secret/put', 'xpack/connector/secret/post') },
  write_fleet_secrets: { actions: admin('fleet/secrets/post', 'fleet/secrets/delete') },
}

const bulk = ['indices:data/write/bulk*', 'indices:data/write/simulate/bulk*']

/** What each privilege of indices lets through, as Elasticsearch 8.19 was seen to. */
const indexPrivileges: Readonly<Record<string, PrivilegeActions>> = {
  all: { actions: ['*'] },
  auto_configure: { actions: indexAdmin('auto_create', 'mapping/auto_put') },
  create: { actions: ['indices:data/write/index*', ...bulk] },
  create_doc: { actions: ['indices:data/write/index', 'indices:data/write/index:op_type/create', ...bulk] },
  create_index: { actions: indexAdmin('create', 'auto_create', 'data_stream/create') },
  cross_cluster_replication: {
    actions: ['indices:data/read/xpack/ccr/shard_changes*', 'indices:monitor/stats*', ...indexAdmin('seq_no/*')],
  },
  cross_cluster_replication_internal: { actions: ['indices:internal/admin/ccr/*'] },
  delete: { actions: ['indices:data/write/delete*', 'indices:data/write/bulk*'] },
  delete_index: { actions: indexAdmin('delete', 'data_stream/delete') },
  index: { actions: ['indices:data/write/index*', 'indices:data/write/update*', ...bulk] },
  maintenance: { actions: indexAdmin('refresh*', 'flush*', 'synced_flush', 'forcemerge*') },
  manage: { actions: ['indices:monitor/*', 'indices:admin/*', 'indices:data/read/field_caps*'] },
  manage_data_stream_lifecycle: { actions: indexAdmin('data_stream/lifecycle/*') },
  manage_failure_store: { actions: ['indices:monitor/*', 'indices:admin/*', 'indices:data/read/field_caps*'] },
  manage_follow_index: {
    actions: indexAdmin('xpack/ccr/put_follow', 'xpack/ccr/unfollow', 'close*', 'rollover', 'data_stream/promote'),
  },
  manage_ilm: { actions: indexAdmin('ilm/*') },
  manage_leader_index: { actions: indexAdmin('xpack/ccr/forget_follower*') },
  monitor: { actions: ['indices:monitor/*'] },
  none: { actions: [] },
  read: { actions: ['indices:data/read/*', ...indexAdmin('resolve/index', 'resolve/cluster')] },
  read_cross_cluster: {
    actions: [
      ...['internal:transport/proxy/indices:data/read/*', 'indices:data/read/esql'],
      ...indexAdmin('shards/search_shards', 'resolve/cluster'),
    ],
  },
  read_failure_store: { actions: [] },
  view_index_metadata: {
    actions: [
      ...indexAdmin('aliases/get', 'get', 'mappings/get', 'mappings/fields/get*', 'shards/search_shards'),
      ...indexAdmin('validate/query*', 'resolve/index', 'resolve/cluster', 'data_stream/get', 'ilm/explain'),
      ...indexAdmin('data_stream/lifecycle/get', 'data_stream/lifecycle/explain', 'data_stream/options/get'),
      ...['indices:monitor/settings/get', 'indices:data/read/field_caps*'],
    ],
  },
  write: { actions: ['indices:data/write/*'] },
}

/** Every privilege of a level by its name. */
export const privilegeTables: Readonly<Record<PrivilegeLevel, Readonly<Record<string, PrivilegeActions>>>> = {
  cluster: clusterPrivileges,
  index: indexPrivileges,
}
