import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Stack } from '../stack.ts'

const slowedWait = { limitMs: 90_000, pollMs: 1_000 } as const

/** Whether search accepts a user's password. Waits out the slow-down after failed logins; an answer that is neither is `part_unreachable`. */
export async function tryPassword(
  stack: Pick<Stack, 'clients'>,
  username: string,
  password: string,
): Promise<'accepted' | 'refused'> {
  const deadline = performance.now() + slowedWait.limitMs
  for (;;) {
    const { status } = await stack.clients.searchAs(username, password).request({
      method: 'GET',
      path: '/_security/_authenticate',
      accept: [401, 429],
    })
    if (status === 200) return 'accepted'
    if (status === 401) return 'refused'
    if (performance.now() > deadline) {
      throw new AppError(operatorErrors.part_unreachable, `search slows down logins of [${username}]`, {
        fix: 'end whatever tries wrong passwords, and try again in a minute',
      })
    }
    await sleep(slowedWait.pollMs)
  }
}
