import { alertStatuses, alertsIndex } from '@logstack/contracts'
import { z } from 'zod'
import { callerOf, defineRoutes, pathParameter, readBody } from '../route.ts'

const statusSchema = z.object({ status: z.enum(alertStatuses) })

/** What people make of alerts, written with their own rights. */
export const alertRoutes = defineRoutes({
  method: 'PUT',
  path: '/api/alerts/:id/status',
  access: 'authenticated',
  async handle(call, services) {
    const { status } = readBody(call, statusSchema)
    await services.search.request({
      method: 'POST',
      path: `/${alertsIndex.name}/_update/${encodeURIComponent(pathParameter(call, 'id'))}`,
      query: { refresh: 'true' },
      body: { doc: { logstack: { alert: { status } } } },
      headers: { authorization: callerOf(call).authorization },
    })
    return { json: { status } }
  },
})
