/** The names Elasticsearch gives to what a route does, for the texts of refusals; others are named after their privilege. */
const actions: Readonly<Record<string, string>> = {
  info: 'cluster:monitor/main',
  'cluster.health': 'cluster:monitor/health',
  'cluster.state': 'cluster:monitor/state',
  'cluster.get_settings': 'cluster:monitor/state',
  'cluster.put_settings': 'cluster:admin/settings/update',
  'nodes.info': 'cluster:monitor/nodes/info',
  'cat.shards': 'cluster:monitor/state',
  'cat.indices': 'indices:monitor/settings/get',
  'cat.nodes': 'cluster:monitor/state',
  'security.change_password': 'cluster:admin/xpack/security/user/change_password',
  'security.get_user': 'cluster:admin/xpack/security/user/get',
  'security.put_user': 'cluster:admin/xpack/security/user/put',
  'security.delete_user': 'cluster:admin/xpack/security/user/delete',
  'security.get_role': 'cluster:admin/xpack/security/role/get',
  'security.put_role': 'cluster:admin/xpack/security/role/put',
  'security.delete_role': 'cluster:admin/xpack/security/role/delete',
  'security.get_token': 'cluster:admin/xpack/security/token/create',
  'security.create_api_key': 'cluster:admin/xpack/security/api_key/create',
  search: 'indices:data/read/search',
  count: 'indices:data/read/search',
  get: 'indices:data/read/get',
  mget: 'indices:data/read/mget[shard]',
  bulk: 'indices:data/write/bulk[s]',
  index: 'indices:data/write/index',
  create: 'indices:data/write/index',
  update: 'indices:data/write/update',
  delete: 'indices:data/write/delete',
  update_by_query: 'indices:data/write/update/byquery',
  delete_by_query: 'indices:data/write/delete/byquery',
  'indices.create': 'indices:admin/create',
  'indices.delete': 'indices:admin/delete',
  'indices.get': 'indices:admin/get',
  'indices.get_mapping': 'indices:admin/mappings/get',
  'indices.put_mapping': 'indices:admin/mapping/put',
  'indices.get_settings': 'indices:monitor/settings/get',
  'indices.put_settings': 'indices:admin/settings/update',
  'indices.update_aliases': 'indices:admin/aliases',
  'indices.refresh': 'indices:admin/refresh',
  'indices.put_index_template': 'indices:admin/index_template/put',
}

/** The action of a route, as refusals name it. */
export function actionOf(routeName: string, level: 'cluster' | 'index'): string {
  return (
    actions[routeName] ?? `${level === 'cluster' ? 'cluster:admin' : 'indices:admin'}/${routeName.replaceAll('.', '/')}`
  )
}
