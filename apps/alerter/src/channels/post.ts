import { z } from 'zod'
import { leafAt } from '../rule-values/field-values.ts'
import { defineChannel } from './define-channel.ts'
import { postJson, urlsOption } from './post-json.ts'

/**
 * ElastAlert's `post`: each match as JSON, or of `http_post_payload` the named fields, with `http_post_static_payload`. The header
 * `idempotency-key` is the alert's id.
 */
export const post = defineChannel({
  name: 'post',
  options: {
    http_post_url: urlsOption.optional(),
    http_post_payload: z.record(z.string(), z.string()).optional(),
    http_post_static_payload: z.record(z.string(), z.json()).optional(),
    http_post_all_values: z.boolean().optional(),
    http_post_headers: z.record(z.string(), z.string()).optional(),
  },
  server: { addresses: ['http_post_url'], secrets: ['http_post_headers', 'http_post_static_payload'] },
  off: (options, { webhookUrl }) =>
    options.http_post_url || webhookUrl ? undefined : 'neither http_post_url of the rule nor webhook_url is set',
  send: async ({ alerts }, options, context) => {
    let said = ''
    for (const { id, document } of alerts) {
      const match = document.logstack.alert.match ?? {}
      const named = Object.entries(options.http_post_payload ?? {}).map(([name, path]) => [
        name,
        leafAt(match, path) ?? null,
      ])
      const isWhole = options.http_post_payload === undefined || options.http_post_all_values === true
      const body = { ...(isWhole ? match : {}), ...Object.fromEntries(named), ...options.http_post_static_payload }
      const headers = { 'idempotency-key': id, ...options.http_post_headers }
      for (const url of options.http_post_url ?? [context.webhookUrl])
        said = (await postJson({ url, body, headers }, context)).said
    }
    return said
  },
})
