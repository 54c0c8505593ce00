import { AppError, searchErrors } from '@logstack/errors'

/** What each index privilege includes besides itself. */
const indexPrivileges: Readonly<Record<string, readonly string[]>> = {
  all: ['manage', 'read', 'write', 'delete_index', 'cross_cluster_replication', 'read_cross_cluster'],
  manage: [
    'monitor',
    'view_index_metadata',
    'create_index',
    'delete_index',
    'maintenance',
    'auto_configure',
    'manage_ilm',
    'manage_follow_index',
    'manage_leader_index',
    'manage_data_stream_lifecycle',
    'manage_failure_store',
  ],
  write: ['index', 'create', 'create_doc', 'delete'],
  index: ['create', 'create_doc'],
  create: ['create_doc'],
  create_doc: [],
  delete: [],
  read: [],
  read_failure_store: [],
  monitor: [],
  view_index_metadata: [],
  maintenance: [],
  create_index: ['auto_configure'],
  delete_index: [],
  auto_configure: [],
  manage_ilm: [],
  manage_follow_index: [],
  manage_leader_index: [],
  manage_data_stream_lifecycle: [],
  manage_failure_store: [],
  cross_cluster_replication: [],
  read_cross_cluster: [],
  none: [],
}

/** What each cluster privilege includes besides itself; `all` includes every one. */
const clusterPrivileges: Readonly<Record<string, readonly string[]>> = {
  all: [],
  manage: [
    'monitor',
    'manage_index_templates',
    'manage_ilm',
    'manage_pipeline',
    'manage_ingest_pipelines',
    'manage_logstash_pipelines',
    'manage_enrich',
    'manage_ml',
    'manage_transform',
    'manage_watcher',
    'manage_rollup',
    'manage_ccr',
    'manage_slm',
    'create_snapshot',
    'cancel_task',
    'monitor_snapshot',
  ],
  manage_security: ['manage_api_key', 'manage_own_api_key', 'manage_token', 'read_security', 'manage_service_account'],
  monitor: ['monitor_stats', 'monitor_ml', 'monitor_transform', 'monitor_watcher', 'monitor_rollup'],
  monitor_stats: [],
  monitor_ml: [],
  monitor_transform: [],
  monitor_watcher: [],
  monitor_rollup: [],
  monitor_snapshot: [],
  manage_api_key: ['manage_own_api_key', 'grant_api_key'],
  manage_own_api_key: [],
  grant_api_key: [],
  manage_token: [],
  manage_service_account: [],
  manage_user_profile: [],
  read_security: [],
  manage_index_templates: [],
  manage_ilm: ['read_ilm'],
  read_ilm: [],
  manage_pipeline: ['manage_ingest_pipelines', 'read_pipeline'],
  manage_ingest_pipelines: ['read_pipeline'],
  read_pipeline: [],
  manage_logstash_pipelines: [],
  manage_enrich: [],
  manage_ml: ['monitor_ml'],
  manage_transform: ['monitor_transform'],
  manage_watcher: ['monitor_watcher'],
  manage_rollup: ['monitor_rollup'],
  manage_ccr: ['read_ccr'],
  read_ccr: [],
  manage_slm: ['read_slm'],
  read_slm: [],
  create_snapshot: ['monitor_snapshot'],
  cancel_task: [],
  transport_client: [],
  none: [],
}

/** The kinds of privileges: of the cluster, and of indices. */
export type PrivilegeLevel = 'cluster' | 'index'

const tables = { cluster: clusterPrivileges, index: indexPrivileges }

/** Every privilege that a list of granted ones comes to. */
export function expandPrivileges(level: PrivilegeLevel, granted: readonly string[]): ReadonlySet<string> {
  const table = tables[level]
  if (granted.includes('all')) return new Set(Object.keys(table))
  const all = new Set<string>()
  const open = [...granted]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (all.has(name)) continue
    all.add(name)
    open.push(...(Object.hasOwn(table, name) ? (table[name] ?? []) : []))
  }
  return all
}

/** Whether a privilege of that name exists. */
export function isPrivilege(level: PrivilegeLevel, name: string): boolean {
  return Object.hasOwn(tables[level], name)
}

/** The names of all privileges of a level, in alphabetical order. */
export function privilegeNames(level: PrivilegeLevel): string[] {
  return Object.keys(tables[level]).sort()
}

/** The error for a privilege that there is not, with those there are, as Elasticsearch words it. */
export function unknownPrivilege(level: PrivilegeLevel, name: string): AppError {
  const [kind, actions] =
    level === 'cluster' ? ['cluster privilege names', 'cluster'] : ['fixed indices privileges', 'index']
  return new AppError(
    searchErrors.illegal_argument_exception,
    `unknown ${level} privilege [${name}]. a privilege must be either one of the predefined ${kind} [${privilegeNames(level).join(',')}] or a pattern over one of the available ${actions} actions`,
  )
}

/** The privileges that include `wanted`, the smallest first: what an administrator may grant to let a refused request through. */
export function grantingPrivileges(level: PrivilegeLevel, wanted: string): string[] {
  return Object.keys(tables[level])
    .map((name) => ({ name, covers: expandPrivileges(level, [name]) }))
    .filter(({ name, covers }) => name !== 'none' && covers.has(wanted))
    .sort((a, b) => a.covers.size - b.covers.size)
    .map(({ name }) => name)
}
