import { sql } from '../../sql/sql.ts'
import { defineRoute } from '../define-route.ts'

const probeLimits = { timeMsMax: 2000, memoryBytesMax: 64 * 1024 * 1024 }

/** `GET /_logstack/health`: for health checks, without a login. 200 only when the engine and the catalogue answer. */
export const healthRoute = defineRoute({
  name: 'logstack.health',
  methods: ['GET', 'HEAD'],
  paths: ['/_logstack/health'],
  privilege: 'anonymous',
  parameters: {},
  async handle(_request, { engine, catalogue, logger }) {
    try {
      await engine.rows(sql`SELECT 1`, { limits: probeLimits, weight: 'light' })
      for (const _ of catalogue.indices()) break
      return { json: { status: 'ready' } }
    } catch (thrown) {
      logger.error({ err: thrown }, 'health probe failed')
      return { status: 503, json: { status: 'unavailable' } }
    }
  },
})
