import type { PrivilegeLevel } from './privilege-actions.ts'
import { grantedBy } from './privileges.ts'

const security = 'cluster:admin/xpack/security'
const state = 'cluster:monitor/state'
const clearSecurity = `${security}/cache/clear`

/** The names that Elasticsearch gives to what a route does: it is allowed by whatever lets these through. */
const actions: Readonly<Record<string, string>> = {
  info: 'cluster:monitor/main',
  health_report: 'cluster:monitor/health_api',
  'license.get': 'cluster:monitor/xpack/license/get',
  'license.get_basic_status': 'cluster:admin/xpack/license/basic_status',
  'license.get_trial_status': 'cluster:admin/xpack/license/trial_status',
  'license.post_start_basic': 'cluster:admin/xpack/license/start_basic',
  'license.post_start_trial': 'cluster:admin/xpack/license/start_trial',
  'xpack.info': 'cluster:monitor/xpack/info',
  'xpack.usage': 'cluster:monitor/xpack/usage',
  'features.get_features': 'cluster:admin/features/get',
  'cluster.health': 'cluster:monitor/health',
  'cluster.pending_tasks': 'cluster:monitor/task',
  'cluster.info': 'cluster:monitor/nodes/stats',
  'cluster.state': state,
  'cluster.stats': 'cluster:monitor/stats',
  'cluster.get_settings': 'cluster:monitor/settings',
  'cluster.put_settings': 'cluster:admin/settings/update',
  'cluster.allocation_explain': 'cluster:monitor/allocation/explain',
  'cluster.reroute': 'cluster:admin/reroute',
  'cluster.post_voting_config_exclusions': 'cluster:admin/voting_config/add_exclusions',
  'cluster.delete_voting_config_exclusions': 'cluster:admin/voting_config/clear_exclusions',
  'cluster.remote_info': 'cluster:monitor/remote/info',
  'nodes.info': 'cluster:monitor/nodes/info',
  'nodes.stats': 'cluster:monitor/nodes/stats',
  'nodes.hot_threads': 'cluster:monitor/nodes/hot_threads',
  'nodes.usage': 'cluster:monitor/nodes/usage',
  'nodes.reload_secure_settings': 'cluster:admin/nodes/reload_secure_settings',
  'snapshot.get_repository': 'cluster:admin/repository/get',
  'snapshot.create_repository': 'cluster:admin/repository/put',
  'snapshot.delete_repository': 'cluster:admin/repository/delete',
  'snapshot.verify_repository': 'cluster:admin/repository/verify',
  'snapshot.cleanup_repository': 'cluster:admin/repository/_cleanup',
  'snapshot.status': 'cluster:admin/snapshot/status',
  'snapshot.get': 'cluster:admin/snapshot/get',
  'snapshot.create': 'cluster:admin/snapshot/create',
  'snapshot.delete': 'cluster:admin/snapshot/delete',
  'snapshot.clone': 'cluster:admin/snapshot/clone',
  'snapshot.restore': 'cluster:admin/snapshot/restore',
  'slm.get_lifecycle': 'cluster:admin/slm/get',
  'slm.put_lifecycle': 'cluster:admin/slm/put',
  'slm.delete_lifecycle': 'cluster:admin/slm/delete',
  'slm.execute_lifecycle': 'cluster:admin/slm/execute',
  'slm.execute_retention': 'cluster:admin/slm/execute-retention',
  'slm.get_stats': 'cluster:admin/slm/stats',
  'slm.get_status': 'cluster:admin/slm/status',
  'slm.start': 'cluster:admin/slm/start',
  'slm.stop': 'cluster:admin/slm/stop',
  'cat.allocation': state,
  'cat.component_templates': state,
  'cat.count': 'indices:data/read/search',
  'cat.fielddata': 'cluster:monitor/nodes/stats',
  'cat.health': 'cluster:monitor/health',
  'cat.master': state,
  'cat.nodeattrs': state,
  'cat.nodes': state,
  'cat.pending_tasks': 'cluster:monitor/task',
  'cat.plugins': state,
  'cat.repositories': 'cluster:admin/repository/get',
  'cat.segments': state,
  'cat.snapshots': 'cluster:admin/snapshot/get',
  'cat.tasks': 'cluster:monitor/tasks/lists',
  'cat.templates': 'indices:admin/template/get',
  'cat.thread_pool': state,
  'tasks.list': 'cluster:monitor/tasks/lists',
  'tasks.get': 'cluster:monitor/task/get',
  'tasks.cancel': 'cluster:admin/tasks/cancel',
  put_script: 'cluster:admin/script/put',
  get_script: 'cluster:admin/script/get',
  delete_script: 'cluster:admin/script/delete',
  get_script_context: 'cluster:admin/script_context/get',
  get_script_languages: 'cluster:admin/script_language/get',
  scripts_painless_execute: 'cluster:admin/scripts/painless/execute',
  'ingest.get_pipeline': 'cluster:admin/ingest/pipeline/get',
  'ingest.put_pipeline': 'cluster:admin/ingest/pipeline/put',
  'ingest.delete_pipeline': 'cluster:admin/ingest/pipeline/delete',
  'ingest.simulate': 'cluster:admin/ingest/pipeline/simulate',
  'ingest.processor_grok': 'cluster:admin/ingest/processor/grok/get',
  'ingest.geo_ip_stats': 'cluster:monitor/ingest/geoip/stats',
  'enrich.get_policy': 'cluster:admin/xpack/enrich/get',
  'enrich.put_policy': 'cluster:admin/xpack/enrich/put',
  'enrich.delete_policy': 'cluster:admin/xpack/enrich/delete',
  'enrich.execute_policy': 'cluster:admin/xpack/enrich/execute',
  'ilm.get_lifecycle': 'cluster:admin/ilm/get',
  'ilm.put_lifecycle': 'cluster:admin/ilm/put',
  'ilm.delete_lifecycle': 'cluster:admin/ilm/delete',
  'ilm.get_status': 'cluster:admin/ilm/operation_mode/get',
  'ilm.start': 'cluster:admin/ilm/start',
  'ilm.stop': 'cluster:admin/ilm/stop',
  'ilm.move_to_step': 'cluster:admin/ilm/_move/post',
  'ilm.explain_lifecycle': 'indices:admin/ilm/explain',
  'ilm.retry': 'indices:admin/ilm/retry',
  'ilm.remove_policy': 'indices:admin/ilm/remove_policy',
  'migration.deprecations': 'cluster:admin/xpack/deprecation/info',
  'migration.get_feature_upgrade_status': 'cluster:admin/migration/get_system_feature',
  'migration.post_feature_upgrade': 'cluster:admin/migration/post_system_feature',
  reindex_rethrottle: 'cluster:admin/reindex/rethrottle',

  'security.get_user': `${security}/user/get`,
  'security.query_user': `${security}/user/query`,
  'security.put_user': `${security}/user/put`,
  'security.delete_user': `${security}/user/delete`,
  'security.enable_user': `${security}/user/set_enabled`,
  'security.disable_user': `${security}/user/set_enabled`,
  'security.change_password': `${security}/user/change_password`,
  'security.authenticate': `${security}/user/authenticate`,
  'security.get_user_privileges': `${security}/user/list_privileges`,
  'security.has_privileges': `${security}/user/has_privileges`,
  'security.get_role': `${security}/role/get`,
  'security.query_role': `${security}/role/query`,
  'security.put_role': `${security}/role/put`,
  'security.delete_role': `${security}/role/delete`,
  'security.bulk_put_role': `${security}/role/bulk_put`,
  'security.bulk_delete_role': `${security}/role/bulk_delete`,
  'security.get_role_mapping': `${security}/role_mapping/get`,
  'security.put_role_mapping': `${security}/role_mapping/put`,
  'security.delete_role_mapping': `${security}/role_mapping/delete`,
  'security.get_token': `${security}/token/create`,
  'security.refresh_token': `${security}/token/refresh`,
  'security.invalidate_token': `${security}/token/invalidate`,
  'security.create_api_key': `${security}/api_key/create`,
  'security.grant_api_key': `${security}/api_key/grant`,
  'security.get_api_key': `${security}/api_key/get`,
  'security.query_api_keys': `${security}/api_key/query`,
  'security.update_api_key': `${security}/api_key/update`,
  'security.bulk_update_api_keys': `${security}/api_key/bulk_update`,
  'security.invalidate_api_key': `${security}/api_key/invalidate`,
  'security.get_privileges': `${security}/privilege/get`,
  'security.put_privileges': `${security}/privilege/put`,
  'security.delete_privileges': `${security}/privilege/delete`,
  'security.get_builtin_privileges': `${security}/privilege/builtin/get`,
  'security.get_service_accounts': `${security}/service_account/get`,
  'security.get_service_credentials': `${security}/service_account/credential/get`,
  'security.create_service_token': `${security}/service_account/token/create`,
  'security.delete_service_token': `${security}/service_account/token/delete`,
  'security.clear_cached_realms': `${security}/realm/cache/clear`,
  'security.clear_cached_roles': `${security}/roles/cache/clear`,
  'security.clear_cached_privileges': clearSecurity,
  'security.clear_cached_api_keys': clearSecurity,
  'security.clear_cached_service_tokens': clearSecurity,

  reindex: 'indices:data/write/reindex',
  msearch: 'indices:data/read/msearch',
  msearch_template: 'indices:data/read/msearch/template',
  rank_eval: 'indices:data/read/rank_eval',
  search_template: 'indices:data/read/search/template',
  scroll: 'indices:data/read/scroll',
  'async_search.get': 'indices:data/read/async_search/get',
  'async_search.delete': 'indices:data/read/async_search/delete',
  'async_search.status': 'cluster:monitor/async_search/status',
  'eql.search': 'indices:data/read/eql',
  'eql.get': 'indices:data/read/eql/async/get',
  'eql.delete': 'indices:data/read/eql/async/delete',
  'eql.get_status': 'cluster:monitor/eql/async/status',
  'esql.query': 'indices:data/read/esql',
  'esql.async_query': 'indices:data/read/esql',
  'esql.index': 'indices:data/read/esql/search_shards',
  'esql.async_query_stop': 'indices:data/read/esql/async/stop',
  'esql.async_query_get': 'indices:data/read/esql/async/get',
  'esql.async_query_delete': 'indices:data/read/esql/async/delete',
  field_caps: 'indices:data/read/field_caps',
  terms_enum: 'indices:data/read/xpack/termsenum/list',
  search: 'indices:data/read/search',
  search_shards: 'indices:admin/shards/search_shards',
  count: 'indices:data/read/search',
  get: 'indices:data/read/get',
  get_source: 'indices:data/read/get',
  mget: 'indices:data/read/mget',
  'mget.item': 'indices:data/read/mget[shard]',
  explain: 'indices:data/read/explain',
  termvectors: 'indices:data/read/tv',
  mtermvectors: 'indices:data/read/mtv',
  'mtermvectors.item': 'indices:data/read/mtv[shard]',
  open_point_in_time: 'indices:data/read/open_point_in_time',
  bulk: 'indices:data/write/bulk',
  index: 'indices:data/write/index',
  create: 'indices:data/write/index',
  update: 'indices:data/write/update',
  delete: 'indices:data/write/delete',
  update_by_query: 'indices:data/write/update/byquery',
  delete_by_query: 'indices:data/write/delete/byquery',
  'fleet.global_checkpoints': 'indices:monitor/fleet/global_checkpoints',
  'indices.create': 'indices:admin/create',
  'indices.delete': 'indices:admin/delete',
  'indices.get': 'indices:admin/get',
  'indices.open': 'indices:admin/open',
  'indices.close': 'indices:admin/close',
  'indices.add_block': 'indices:admin/block/add',
  'indices.shrink': 'indices:admin/resize',
  'indices.split': 'indices:admin/resize',
  'indices.clone': 'indices:admin/resize',
  'indices.get_mapping': 'indices:admin/mappings/get',
  'indices.get_field_mapping': 'indices:admin/mappings/fields/get',
  'indices.put_mapping': 'indices:admin/mapping/put',
  'indices.get_settings': 'indices:monitor/settings/get',
  'indices.put_settings': 'indices:admin/settings/update',
  'indices.update_aliases': 'indices:admin/aliases',
  'indices.put_alias': 'indices:admin/aliases',
  'indices.delete_alias': 'indices:admin/aliases',
  'indices.get_alias': 'indices:admin/aliases/get',
  'cat.aliases': 'indices:admin/aliases/get',
  'indices.resolve_index': 'indices:admin/resolve/index',
  'indices.resolve_cluster': 'indices:admin/resolve/cluster',
  'indices.refresh': 'indices:admin/refresh',
  'indices.flush': 'indices:admin/flush',
  'indices.forcemerge': 'indices:admin/forcemerge',
  'indices.clear_cache': 'indices:admin/cache/clear',
  'indices.analyze': 'indices:admin/analyze',
  'indices.stats': 'indices:monitor/stats',
  'indices.recovery': 'indices:monitor/recovery',
  'indices.segments': 'indices:monitor/segments',
  'indices.shard_stores': 'indices:monitor/shard_stores',
  'cat.recovery': 'indices:monitor/recovery',
  'cat.indices': 'indices:monitor/settings/get',
  'cat.shards': 'indices:monitor/stats',
  'indices.rollover': 'indices:admin/rollover',
  'indices.validate_query': 'indices:admin/validate/query',
  'indices.get_index_template': 'indices:admin/index_template/get',
  'indices.put_index_template': 'indices:admin/index_template/put',
  'indices.delete_index_template': 'indices:admin/index_template/delete',
  'indices.simulate_template': 'indices:admin/index_template/simulate',
  'indices.simulate_index_template': 'indices:admin/index_template/simulate_index',
  'indices.get_template': 'indices:admin/template/get',
  'indices.put_template': 'indices:admin/template/put',
  'indices.delete_template': 'indices:admin/template/delete',
  'indices.get_component_template': 'cluster:admin/component_template/get',
  'indices.put_component_template': 'cluster:admin/component_template/put',
  'indices.delete_component_template': 'cluster:admin/component_template/delete',
  'indices.get_data_stream': 'indices:admin/data_stream/get',
  'indices.create_data_stream': 'indices:admin/data_stream/create',
  'indices.delete_data_stream': 'indices:admin/data_stream/delete',
  'indices.data_streams_stats': 'indices:monitor/data_stream/stats',
  'indices.get_data_lifecycle': 'indices:admin/data_stream/lifecycle/get',
  'indices.put_data_lifecycle': 'indices:admin/data_stream/lifecycle/put',
  'indices.delete_data_lifecycle': 'indices:admin/data_stream/lifecycle/delete',
  'indices.explain_data_lifecycle': 'indices:admin/data_stream/lifecycle/explain',
}

/** What a privilege is asked for beside a route's own action: what a request does on the way. */
const onTheWay: Readonly<Record<string, string>> = {
  read: 'indices:data/read/search',
  index: 'indices:data/write/index',
  delete: 'indices:data/write/delete',
  create_index: 'indices:admin/create',
  auto_configure: 'indices:admin/auto_create',
}

/** The action of a route, as refusals name it; that of a route of ours is named after it. */
export function actionOf(routeName: string, level: PrivilegeLevel): string {
  return (
    actions[routeName] ?? `${level === 'cluster' ? 'cluster:admin' : 'indices:admin'}/${routeName.replaceAll('.', '/')}`
  )
}

/** What a caller must hold for a part of a route, and what refusals call that part. */
export interface Need {
  readonly action: string
  /** The action, or the privilege where Elasticsearch has no such action. */
  readonly wanted: string
}

const known = new Map<string, Need>()

/** What is asked for where a route asks for `privilege`: the route's own action when it is one of that privilege. */
export function needOf(routeName: string, level: PrivilegeLevel, privilege: string): Need {
  const key = `${routeName} ${level} ${privilege}`
  const before = known.get(key)
  if (before) return before
  const own = actions[routeName]
  const other = onTheWay[privilege]
  const fits = (action: string | undefined): action is string =>
    action !== undefined && grantedBy(level, [privilege]).has(action)
  const need = fits(own)
    ? { action: own, wanted: own }
    : { action: other ?? actionOf(routeName, level), wanted: other !== undefined && fits(other) ? other : privilege }
  known.set(key, need)
  return need
}

const nodesInfo = 'cluster:monitor/nodes/info'

/** What routes about the cluster do beside their own action. */
const further: Readonly<Record<string, string>> = {
  'xpack.info': 'cluster:monitor/xpack/info/security',
  'cat.allocation': 'cluster:monitor/nodes/stats',
  'cat.nodeattrs': nodesInfo,
  'cat.nodes': nodesInfo,
  'cat.plugins': nodesInfo,
  'cat.thread_pool': nodesInfo,
}

/** All that is asked for where a route asks for `privilege` of the cluster, in the order in which it is. */
export function clusterNeedsOf(routeName: string, privilege: string): readonly Need[] {
  const more = further[routeName]
  return [needOf(routeName, 'cluster', privilege), ...(more === undefined ? [] : [{ action: more, wanted: more }])]
}
