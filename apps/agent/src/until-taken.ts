import { messageOf } from '@logstack/errors'
import { BackOff } from './back-off.ts'
import { refusedStatus } from './server-client.ts'

const backOffMs = { firstMs: 2_000, longestMs: 60_000 }
const limitMs = 10 * 60_000

/**
 * Asks again while the server says that too many ask (429), for ten minutes: a roll-out reaches thousands of hosts at one time, and nobody stands at them.
 * Throws every other refusal, and the last of these.
 */
export async function untilTaken<T>(
  wait: (ms: number, reason: string) => Promise<void>,
  ask: () => Promise<T>,
): Promise<T> {
  const backOff = new BackOff(backOffMs)
  for (let waitedMs = 0; ; ) {
    try {
      return await ask()
    } catch (thrown) {
      if (refusedStatus(thrown) !== 429 || waitedMs >= limitMs) throw thrown
      const waitMs = backOff.next()
      await wait(waitMs, messageOf(thrown))
      waitedMs += waitMs
    }
  }
}
