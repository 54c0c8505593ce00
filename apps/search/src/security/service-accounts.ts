import { type Role, serviceRole } from './role.ts'

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
  'elastic/kibana': serviceRole(
    [
      ...['monitor', 'manage_index_templates', 'manage_pipeline', 'manage_ilm', 'manage_own_api_key', 'manage_token'],
      ...['grant_api_key', 'cancel_task'],
    ],
    [
      { names: ['.kibana*', '.reporting-*', '.apm-*', '.alerts-*', '.fleet-*'], privileges: ['all'] },
      { names: ['*'], privileges: ['monitor', 'view_index_metadata'] },
    ],
  ),
  'logstack/shipper': serviceRole(
    ['monitor'],
    [{ names: ['logs-*', 'metrics-*'], privileges: ['create_doc', 'auto_configure', 'view_index_metadata'] }],
  ),
}
