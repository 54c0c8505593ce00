import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { leavesAt } from '@logstack/rules'
import { z } from 'zod'
import { defineChannel, type IdentifiedAlert } from './define-channel.ts'

const httpUrl = z.url({ protocol: /^https?$/ })

/**
 * A webhook: POSTs the alert as JSON. Without `http_post_payload` the body is the alert document with `id` and `text` (the sentence chat
 * systems show); with it, the body has these names only, each the value of a field of the document. The header `idempotency-key` is the alert's id.
 */
export const httpPost = defineChannel({
  name: 'http_post',
  options: {
    http_post_url: httpUrl.optional(),
    http_post_payload: z.record(z.string(), z.string()).optional(),
    http_post_static_payload: z.record(z.string(), z.json()).optional(),
    http_post_headers: z.record(z.string(), z.string()).optional(),
  },
  off: (options, { webhookUrl }) =>
    options.http_post_url || webhookUrl ? undefined : 'neither http_post_url of the rule nor webhook_url is set',
  send: async (alert, options, { webhookUrl, timeoutMs, signal }) => {
    const body = JSON.stringify({ ...payload(alert, options.http_post_payload), ...options.http_post_static_payload })
    const headers = { 'content-type': 'application/json', 'idempotency-key': alert.id, ...options.http_post_headers }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    await post(options.http_post_url ?? webhookUrl, { body, headers, signal: limit })
  },
})

function payload({ id, document }: IdentifiedAlert, wanted: Readonly<Record<string, string>> | undefined): object {
  if (!wanted) return { id, text: document.message, ...document }
  return Object.fromEntries(Object.entries(wanted).map(([name, path]) => [name, leavesAt(document, path)[0] ?? null]))
}

// Errors name the host only: a webhook's path is its secret.
async function post(url: string, request: RequestInit): Promise<void> {
  const { host } = new URL(url)
  let status: number
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'error', ...request })
    await response.body?.cancel()
    status = response.status
  } catch (thrown) {
    const why = thrown instanceof Error && thrown.cause ? messageOf(thrown.cause) : messageOf(thrown)
    throw new AppError(alerterErrors.notify_failed, `cannot post to ${host}: ${why}`, { cause: thrown })
  }
  if (status >= 300) throw new AppError(alerterErrors.notify_failed, `${host} answered ${status}`)
}
