import { kibanaGrants, serviceRole } from './reserved-roles.ts'
import type { Role } from './role.ts'

/** What programs of a stack may do that come with a token of their own and no user; by namespace and service. */
export const serviceAccounts: Readonly<Record<string, Role>> = {
  'elastic/fleet-server': serviceRole(
    ['monitor', 'manage_own_api_key', 'read_pipeline'],
    [
      { names: ['logs-*', 'metrics-*', 'traces-*'], privileges: ['write', 'create_index', 'auto_configure'] },
      {
        names: ['.fleet-*'],
        privileges: ['read', 'write', 'monitor', 'create_index', 'auto_configure', 'maintenance'],
      },
    ],
  ),
  'elastic/kibana': serviceRole(kibanaGrants.cluster, kibanaGrants.indices),
  'logstack/shipper': serviceRole(
    ['monitor'],
    [{ names: ['logs-*', 'metrics-*'], privileges: ['create_doc', 'auto_configure', 'view_index_metadata'] }],
  ),
}
