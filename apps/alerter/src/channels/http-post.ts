import { leavesAt } from '@logstack/rules'
import { z } from 'zod'
import { defineChannel, type IdentifiedAlert } from './define-channel.ts'
import { postJson, urlOption } from './post-json.ts'

/**
 * A webhook: POSTs each alert as JSON. Without `http_post_payload` the body is the alert document with `id` and `text` (the sentence chat
 * systems show); with it, the body has these names only, each the value of a field of the document or of its match. The header
 * `idempotency-key` is the alert's id.
 */
export const httpPost = defineChannel({
  name: 'http_post',
  options: {
    http_post_url: urlOption.optional(),
    http_post_payload: z.record(z.string(), z.string()).optional(),
    http_post_static_payload: z.record(z.string(), z.json()).optional(),
    http_post_headers: z.record(z.string(), z.string()).optional(),
  },
  server: { addresses: ['http_post_url'], secrets: ['http_post_headers', 'http_post_static_payload'] },
  off: (options, { webhookUrl }) =>
    options.http_post_url || webhookUrl ? undefined : 'neither http_post_url of the rule nor webhook_url is set',
  send: async ({ alerts }, options, context) => {
    let said = ''
    for (const alert of alerts) {
      const body = { ...payload(alert, options.http_post_payload), ...options.http_post_static_payload }
      const headers = { 'idempotency-key': alert.id, ...options.http_post_headers }
      said = (await postJson({ url: options.http_post_url ?? context.webhookUrl, body, headers }, context)).said
    }
    return said
  },
})

function payload({ id, document }: IdentifiedAlert, wanted: Readonly<Record<string, string>> | undefined): object {
  if (!wanted) return { id, text: document.message, ...document }
  const match = document.logstack.alert.match ?? {}
  return Object.fromEntries(
    Object.entries(wanted).map(([name, path]) => [
      name,
      leavesAt(document, path)[0] ?? leavesAt(match, path)[0] ?? null,
    ]),
  )
}
