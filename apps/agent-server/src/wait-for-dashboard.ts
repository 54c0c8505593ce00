import { request } from 'node:https'
import type { Logger } from '@logstack/logging'

const tryEveryMs = 500
const answerWithinMs = 5_000

/** Waits until the dashboard answers `GET /api/health` with any status below 500, at most `limitMs`; then goes on either way. Resolves to whether it answered. */
export async function waitForDashboard(options: {
  readonly url: string
  readonly ca: string
  readonly limitMs: number
  readonly logger: Logger
}): Promise<boolean> {
  const deadline = performance.now() + options.limitMs
  do {
    if (await answers(options)) return true
    await new Promise((resolve) => setTimeout(resolve, tryEveryMs))
  } while (performance.now() < deadline)
  options.logger.warn(
    { url: options.url, limit_ms: options.limitMs },
    'the dashboard does not answer; going on without it',
  )
  return false
}

function answers({ url, ca }: { readonly url: string; readonly ca: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request(new URL('/api/health', url), { ca, timeout: answerWithinMs, agent: false }, (incoming) => {
      incoming.resume()
      resolve((incoming.statusCode ?? 500) < 500)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.on('error', () => resolve(false))
    outgoing.end()
  })
}
