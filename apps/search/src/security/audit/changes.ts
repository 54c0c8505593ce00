import type { AuditMembers } from './events.ts'

type Body = Readonly<Record<string, unknown>>
/** What a change is called, and what is told of it: names and rights, and of secrets only that there were any. */
type Describe = (params: Readonly<Record<string, string>>, body: Body) => AuditMembers

const userOf: Describe = ({ username }, body) => ({
  'event.action': 'put_user',
  put: {
    user: {
      name: username,
      enabled: body['enabled'],
      roles: body['roles'],
      has_password: 'password' in body || 'password_hash' in body,
      has_full_name: 'full_name' in body,
      has_email: 'email' in body,
    },
  },
})

const rightsOf = (descriptors: unknown): unknown => descriptors ?? {}

const keyOf = (body: Body): AuditMembers => ({
  name: body['name'],
  expiration: body['expiration'],
  role_descriptors: rightsOf(body['role_descriptors']),
})

/** By the name of the route that makes the change. */
export const auditedChanges: Readonly<Record<string, Describe>> = {
  'security.put_user': userOf,
  'security.delete_user': ({ username }) => ({ 'event.action': 'delete_user', delete: { user: { name: username } } }),
  'security.enable_user': ({ username }) => ({
    'event.action': 'change_enable_user',
    change: { enable: { user: { name: username } } },
  }),
  'security.disable_user': ({ username }) => ({
    'event.action': 'change_disable_user',
    change: { disable: { user: { name: username } } },
  }),
  'security.change_password': ({ username }) => ({
    'event.action': 'change_password',
    change: { password: { user: username === undefined ? {} : { name: username } } },
  }),
  'security.put_role': ({ name }, { cluster, indices, index, applications, run_as }) => ({
    'event.action': 'put_role',
    put: { role: { name, role_descriptor: { cluster, indices: indices ?? index, applications, run_as } } },
  }),
  'security.delete_role': ({ name }) => ({ 'event.action': 'delete_role', delete: { role: { name } } }),
  'security.bulk_put_role': (_params, { roles }) => ({ 'event.action': 'put_roles', put: { roles } }),
  'security.bulk_delete_role': (_params, { names }) => ({ 'event.action': 'delete_roles', delete: { roles: names } }),
  'security.put_role_mapping': ({ name }, { enabled, roles, role_templates, rules }) => ({
    'event.action': 'put_role_mapping',
    put: { role_mapping: { name, enabled, roles, role_templates, rules } },
  }),
  'security.delete_role_mapping': ({ name }) => ({
    'event.action': 'delete_role_mapping',
    delete: { role_mapping: { name } },
  }),
  'security.create_api_key': (_params, body) => ({ 'event.action': 'create_apikey', create: { apikey: keyOf(body) } }),
  'security.grant_api_key': (_params, { api_key, grant_type, username }) => ({
    'event.action': 'create_apikey',
    create: { apikey: keyOf((api_key ?? {}) as Body), grant: { type: grant_type, user: { name: username } } },
  }),
  'security.update_api_key': ({ id }, body) => ({
    'event.action': 'change_apikey',
    change: { apikey: { id, expiration: body['expiration'], role_descriptors: rightsOf(body['role_descriptors']) } },
  }),
  'security.bulk_update_api_keys': (_params, { ids, expiration, role_descriptors }) => ({
    'event.action': 'change_apikeys',
    change: { apikeys: { ids, expiration, role_descriptors: rightsOf(role_descriptors) } },
  }),
  'security.invalidate_api_key': (_params, { id, ids, name, username, realm_name, owner }) => ({
    'event.action': 'invalidate_apikeys',
    invalidate: {
      apikeys: {
        ids: ids ?? id,
        name,
        owned_by_authenticated_user: owner,
        user: { name: username, realm: realm_name },
      },
    },
  }),
  'security.put_privileges': (_params, body) => ({
    'event.action': 'put_privileges',
    put: {
      privileges: Object.entries(body).flatMap(([application, named]) =>
        Object.entries(Object(named) as Readonly<Record<string, Body>>).map(([name, given]) => ({
          application,
          name,
          actions: given?.['actions'],
          metadata: given?.['metadata'],
        })),
      ),
    },
  }),
  'security.delete_privileges': ({ application, name }) => ({
    'event.action': 'delete_privileges',
    delete: { privileges: { application, privileges: name?.split(',') } },
  }),
  'security.create_service_token': ({ namespace, service, name }) => ({
    'event.action': 'create_service_token',
    create: { service_token: { namespace, service, name } },
  }),
  'security.delete_service_token': ({ namespace, service, name }) => ({
    'event.action': 'delete_service_token',
    delete: { service_token: { namespace, service, name } },
  }),
}

/** Routes below `_security` that are no changes though they are not read by GET alone. */
export const unauditedRoutes: readonly string[] = [
  'security.get_token',
  'security.invalidate_token',
  'security.has_privileges',
  'security.query_api_keys',
  'security.query_user',
  'security.query_role',
  'security.clear_cached_realms',
  'security.clear_cached_roles',
  'security.clear_cached_privileges',
  'security.clear_cached_api_keys',
  'security.clear_cached_service_tokens',
]
