/** The words of Elasticsearch's roles in those of OpenSearch: action groups of the security plugin, and names of actions where no group fits. */
const clusterActions: Readonly<Record<string, readonly string[]>> = {
  all: ['*'],
  manage: ['cluster_all'],
  monitor: ['cluster_monitor'],
  manage_index_templates: ['manage_index_templates', 'indices:admin/component_template/*'],
  manage_pipeline: ['cluster:admin/ingest/pipeline/*'],
  manage_ingest_pipelines: ['cluster:admin/ingest/pipeline/*'],
  manage_security: ['restapi:admin/*'],
  // It hands out no tokens, so there are none to manage.
  manage_token: [],
}

const writing = ['indices:data/write/bulk*', 'indices:admin/mapping/put']

const indexActions: Readonly<Record<string, readonly string[]>> = {
  all: ['indices_all'],
  manage: ['manage'],
  monitor: ['indices_monitor'],
  read: ['read', 'indices:admin/resolve/index'],
  write: ['write', 'indices:admin/mapping/put'],
  index: ['indices:data/write/index*', 'indices:data/write/update*', ...writing],
  // Not told apart from replacing: the plugin sees one action for both.
  create_doc: ['indices:data/write/index*', ...writing],
  create: ['indices:data/write/index*', ...writing],
  delete: ['indices:data/write/delete*', 'indices:data/write/bulk*'],
  create_index: ['create_index', 'indices:admin/auto_create', 'indices:admin/data_stream/create'],
  auto_configure: ['create_index', 'indices:admin/auto_create', 'indices:admin/data_stream/create', ...writing],
  delete_index: ['indices:admin/delete*', 'indices:admin/data_stream/delete'],
  maintenance: [
    'indices:admin/refresh*',
    'indices:admin/flush*',
    'indices:admin/forcemerge*',
    'indices:admin/cache/clear*',
  ],
  view_index_metadata: [
    'indices:admin/get',
    'indices:admin/aliases/get*',
    'indices:admin/mappings/get*',
    'indices:admin/mappings/fields/get*',
    'indices:admin/data_stream/get',
    'indices:admin/resolve/index',
    'indices:admin/validate/query*',
    'indices:data/read/field_caps*',
    'indices:monitor/settings/get',
  ],
}

/** What the plugin lets a role do only with rights on the cluster, though it is about indices: bulks and searches of several. */
export const compositeActions = ['cluster_composite_ops', 'indices:data/read/scroll*']

/** The privileges that can be given, as Elasticsearch lists them. */
export const knownPrivileges = { cluster: Object.keys(clusterActions), index: Object.keys(indexActions) } as const

/** The actions of cluster privileges; names with a colon are actions already. Undefined for a privilege nobody knows. */
export function clusterActionsOf(privilege: string): readonly string[] | undefined {
  return privilege.includes(':') ? [privilege] : clusterActions[privilege]
}

/** The actions of index privileges, likewise. */
export function indexActionsOf(privilege: string): readonly string[] | undefined {
  return privilege.includes(':') ? [privilege] : indexActions[privilege]
}
