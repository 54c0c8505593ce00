import { type AlertDocument, alertSilencesIndex, alertStatuses, alertsIndex } from '@logstack/contracts'
import { z } from 'zod'
import { defineRoutes, pathParameter, readBody } from '../route.ts'
import { headersOf, nameOf } from './caller-rights.ts'

const statusSchema = z.strictObject({ status: z.enum(alertStatuses) })
const silenceSchema = z.strictObject({
  rule: z.string().min(1).optional(),
  key: z.string().optional(),
  minutes: z.number().int().min(1).max(527_040),
  reason: z.string().max(2000).optional(),
})
const historyMax = 200

/** What people make of alerts, written with their own rights. */
export const alertRoutes = defineRoutes(
  {
    method: 'PUT',
    path: '/api/alerts/:id/status',
    access: 'authenticated',
    async handle(call, services) {
      const { status } = readBody(call, statusSchema)
      const id = encodeURIComponent(pathParameter(call, 'id'))
      const found = await services.search.request<{ _seq_no: number; _primary_term: number; _source: AlertDocument }>({
        method: 'GET',
        path: `/${alertsIndex.name}/_doc/${id}`,
        headers: headersOf(call),
      })
      const { _seq_no: seqNo, _primary_term: term, _source: alert } = found.body
      const before = alert.logstack.alert.history ?? []
      const history = [...before, { at: new Date().toISOString(), by: await nameOf(call, services), status }]
      await services.search.request({
        method: 'POST',
        path: `/${alertsIndex.name}/_update/${id}`,
        query: { refresh: 'true', if_seq_no: seqNo, if_primary_term: term },
        body: { doc: { logstack: { alert: { status, history: history.slice(-historyMax) } } } },
        headers: headersOf(call),
      })
      return { json: { status } }
    },
  },
  {
    method: 'POST',
    path: '/api/alert-silences',
    access: 'authenticated',
    async handle(call, services) {
      const { minutes, ...silence } = readBody(call, silenceSchema)
      const now = Date.now()
      const body = {
        ...silence,
        from: new Date(now).toISOString(),
        until: new Date(now + minutes * 60_000).toISOString(),
        by: await nameOf(call, services),
      }
      const path = `/${alertSilencesIndex.name}/_doc`
      await services.search.request({
        method: 'POST',
        path,
        query: { refresh: 'true' },
        body,
        headers: headersOf(call),
      })
      return { json: body }
    },
  },
  {
    method: 'DELETE',
    path: '/api/alert-silences/:id',
    access: 'authenticated',
    async handle(call, services) {
      // It stays, ended now, so that alerts made under it can still name it.
      const until = new Date().toISOString()
      await services.search.request({
        method: 'POST',
        path: `/${alertSilencesIndex.name}/_update/${encodeURIComponent(pathParameter(call, 'id'))}`,
        query: { refresh: 'true', retry_on_conflict: 3 },
        body: { doc: { until } },
        headers: headersOf(call),
      })
      return { json: { until } }
    },
  },
)
