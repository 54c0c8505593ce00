import { administratorRoute } from './administrator.ts'

/** `GET /api/fleet/settings`: `fleet_server_hosts` is empty exactly when people must be told "Missing URL for Fleet Server host". */
export const fleetSettings = administratorRoute({
  method: 'GET',
  path: '/api/fleet/settings',
  async handle({ services }) {
    return { item: { id: 'fleet-default-settings', fleet_server_hosts: services.fleetSettings.hosts } }
  },
})
