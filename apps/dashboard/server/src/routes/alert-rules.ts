import { alertRulesIndex, ruleTrialsIndex, type StoredRule, storedRulesIndex } from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { z } from 'zod'
import { type Call, defineRoutes, pathParameter, readBody } from '../route.ts'
import { headersOf, nameOf } from './caller-rights.ts'

const switchSchema = z.strictObject({ off: z.boolean() })
const textSchema = z.string().min(1).max(262_144)
const fileSchema = z.strictObject({ text: textSchema })
const trialSchema = z.strictObject({ text: textSchema, from: z.iso.datetime(), to: z.iso.datetime() })

/** What people make of alert rules, written with their own rights; the alerter reads it and answers. */
export const alertRuleRoutes = defineRoutes(
  {
    method: 'PUT',
    path: '/api/alert-rules/:id/switch',
    access: 'authenticated',
    async handle(call, services) {
      const { off } = readBody(call, switchSchema)
      await services.search.request({
        method: 'POST',
        path: `/${alertRulesIndex.name}/_update/${encodeURIComponent(pathParameter(call, 'id'))}`,
        query: { refresh: 'true', retry_on_conflict: 3 },
        body: { doc: { switched_off: off, switched_by: await nameOf(call, services) } },
        headers: headersOf(call),
      })
      return { json: { off } }
    },
  },
  {
    method: 'PUT',
    path: '/api/alert-rule-files/:name',
    access: 'authenticated',
    async handle(call, services) {
      const { text } = readBody(call, fileSchema)
      const body: StoredRule = { text, by: await nameOf(call, services), updated: new Date().toISOString() }
      const query = { refresh: 'true' }
      await services.search.request({ method: 'PUT', path: filePath(call), query, body, headers: headersOf(call) })
      return { json: { updated: body.updated } }
    },
  },
  {
    method: 'DELETE',
    path: '/api/alert-rule-files/:name',
    access: 'authenticated',
    async handle(call, services) {
      const query = { refresh: 'true' }
      await services.search.request({ method: 'DELETE', path: filePath(call), query, headers: headersOf(call) })
      return { json: {} }
    },
  },
  {
    method: 'POST',
    path: '/api/alert-rule-trials',
    access: 'authenticated',
    async handle(call, services) {
      const asked = readBody(call, trialSchema)
      const body = { ...asked, by: await nameOf(call, services), asked: new Date().toISOString(), state: 'asked' }
      const answer = await services.search.request<{ _id: string }>({
        method: 'POST',
        path: `/${ruleTrialsIndex.name}/_doc`,
        query: { refresh: 'true' },
        body,
        headers: headersOf(call),
      })
      return { json: { id: answer.body._id } }
    },
  },
)

function filePath(call: Call): string {
  const name = pathParameter(call, 'name')
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/u.test(name))
    throw new AppError(
      dashboardErrors.request_invalid,
      '[request path.name]: letters, digits, dot, dash and underscore',
    )
  return `/${storedRulesIndex.name}/_doc/${encodeURIComponent(name)}`
}
