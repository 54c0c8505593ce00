/** What an OpenSearch 2.19.4 with its security plugin answered (e2e/opensearch.e2e.ts asks a live one): `METHOD path` as who, status and body. */
export const recorded: Readonly<Record<string, { readonly status: number; readonly body: unknown }>> = {
  'admin GET /': {
    status: 200,
    body: { name: 'foreign-1', version: { distribution: 'opensearch', number: '2.19.4', build_type: 'unknown' } },
  },
  'sender GET /': {
    status: 200,
    body: { name: 'foreign-1', version: { distribution: 'opensearch', number: '2.19.4', build_type: 'unknown' } },
  },
  'nobody GET /': { status: 401, body: 'Unauthorized' },
  'admin GET /_plugins/_security/authinfo': {
    status: 200,
    body: { user_name: 'admin', backend_roles: ['admin'], roles: ['own_index', 'all_access'], principal: null },
  },
  'sender GET /_plugins/_security/authinfo': {
    status: 200,
    body: { user_name: 'sender', backend_roles: [], roles: ['own_index', 't1'], principal: null },
  },
  'sender GET /_plugins/_security/api/permissionsinfo': {
    status: 200,
    body: { user_name: 'sender', has_api_access: false, disabled_endpoints: { ROLES: ['GET', 'PUT'] } },
  },
  'sender PUT /logs-x-default/_doc/logstack-privilege?require_alias=true&if_seq_no=0&if_primary_term=2147483648': {
    status: 404,
    body: { error: { type: 'index_not_found_exception', reason: 'no such index [logs-x-default]' }, status: 404 },
  },
  'sender PUT /other/_doc/logstack-privilege?require_alias=true&if_seq_no=0&if_primary_term=2147483648': {
    status: 403,
    body: {
      error: { type: 'security_exception', reason: 'no permissions for [indices:data/write/index]' },
      status: 403,
    },
  },
  'admin PUT /_plugins/_security/api/roles/t1': { status: 201, body: { status: 'CREATED', message: "'t1' created." } },
  'admin GET /_plugins/_security/api/roles/t1': {
    status: 200,
    body: {
      t1: {
        reserved: false,
        description: '{"logstack":"abc"}',
        cluster_permissions: ['cluster_monitor'],
        index_permissions: [{ index_patterns: ['logs-*'], fls: [], allowed_actions: ['read'] }],
        static: false,
      },
    },
  },
  'admin GET /_plugins/_security/api/roles/t9': {
    status: 404,
    body: { status: 'NOT_FOUND', message: "role 't9' not found." },
  },
  'admin PUT /_plugins/_security/api/internalusers/u1': {
    status: 201,
    body: { status: 'CREATED', message: "'u1' created." },
  },
  'admin PATCH /_plugins/_security/api/internalusers/u1': {
    status: 200,
    body: { status: 'OK', message: "'u1' updated." },
  },
}
