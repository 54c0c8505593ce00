import { requireAdministrator } from './administrator.ts'
import { defineRoute } from './define-route.ts'

/** `GET /api/fleet/settings`: `fleet_server_hosts` is empty exactly when people must be told "Missing URL for Fleet Server host". */
export const fleetSettings = defineRoute({
  method: 'GET',
  path: '/api/fleet/settings',
  access: 'administrator',
  async handle({ services, authorization }) {
    await requireAdministrator(services.asCaller, authorization)
    return { item: { id: 'fleet-default-settings', fleet_server_hosts: services.fleetSettings.hosts } }
  },
})
