import { messageOf } from '@logstack/errors'
import { defineRoutes } from '../route.ts'
import type { Services } from '../services.ts'

/** Health for the runtime, and Kibana's status for scripts and Beats. */
export const statusRoutes = defineRoutes(
  {
    method: 'GET',
    path: '/api/health',
    access: 'anonymous',
    // Ready means that this part serves pages; a lost search is search's fault and must not restart the dashboard.
    handle: async (_call, services) =>
      services.assets.present
        ? { json: { status: 'ok' } }
        : { status: 503, json: { status: 'failed', reason: 'the pages are not built' } },
  },
  {
    method: 'GET',
    path: '/api/status',
    access: 'anonymous',
    async handle(_call, services) {
      const { level, summary, version } = await overallStatus(services)
      return {
        status: level === 'available' ? 200 : 503,
        json: {
          name: 'logstack-dashboard',
          uuid: '00000000-0000-4000-8000-000000005601',
          version: {
            number: version,
            build_hash: 'logstack',
            build_number: 1,
            build_snapshot: false,
            build_flavor: 'traditional',
          },
          status: { overall: { level, summary }, core: { elasticsearch: { level, summary } }, plugins: {} },
          metrics: {},
        },
      }
    },
  },
)

async function overallStatus(services: Services): Promise<{ level: string; summary: string; version: string }> {
  try {
    const { version } = await services.search.capabilities()
    await services.search.request({ method: 'GET', path: '/_cluster/health', timeoutMs: 5_000 })
    return { level: 'available', summary: 'All services are available', version }
  } catch (thrown) {
    services.logger.warn(`status: ${messageOf(thrown)}`)
    return { level: 'unavailable', summary: 'search does not answer', version: '8.19.0' }
  }
}
