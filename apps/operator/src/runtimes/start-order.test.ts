import { AppError, operatorErrors } from '@logstack/errors'
import { expect, it } from 'vitest'
import type { PartStatus, Runtime } from './runtime.ts'
import { listPatiently, waitReady } from './start-order.ts'

it('asks again for a listing that comes late, and says so when none comes', async () => {
  const late = new AppError(operatorErrors.command_timed_out, 'no answer')
  const listing: PartStatus[] = []
  let calls = 0
  const answersAt = (turn: number) => {
    calls = 0
    const list: Runtime['list'] = async () => {
      calls += 1
      if (calls < turn) throw late
      return listing
    }
    return { list } as Runtime
  }
  expect(await listPatiently(answersAt(3))).toBe(listing)
  await expect(listPatiently(answersAt(4))).rejects.toBe(late)
  expect(calls).toBe(3)
})

/** A runtime whose alerter runs and is never ready, or is after `readyAt` looks; its log answers `says`. */
function waitingAlerter(says: (look: number) => string, readyAt = Number.POSITIVE_INFINITY): Runtime {
  const alerter: PartStatus = {
    ...{ part: 'alerter', name: 'logstack-alerter', state: 'running', statusText: 'Up', health: undefined },
    ready: false,
  }
  let looks = 0
  return {
    kind: 'process',
    list: async () => [{ ...alerter, ready: looks >= readyAt }],
    async *logs() {
      looks += 1
      yield JSON.stringify({ level: 'warn', msg: says(looks) })
    },
  } as Partial<Runtime> as Runtime
}

it('ends a wait when a part that runs says all the while that it waits for the same', async () => {
  const words = 'waiting for search: getaddrinfo ENOTFOUND logstack-search'
  await expect(
    waitReady(
      waitingAlerter(() => words),
      ['alerter'],
      undefined,
      { vainMs: 60 },
    ),
  ).rejects.toMatchObject({
    code: operatorErrors.part_failed.code,
    message: `logstack-alerter runs and is not ready: ${words}`,
  })
})

it.each([
  ['is at work', () => 'indices are made'],
  ['waits for one thing after the other', (look: number) => `waiting for search: answer ${look}`],
])('goes on waiting for a part that %s', async (_what, says) => {
  await expect(waitReady(waitingAlerter(says, 12), ['alerter'], undefined, { vainMs: 60 })).resolves.toBeUndefined()
})

it('points to doctor where a port is taken, which only it can tell by whom', async () => {
  const failed = (lastWords: string): Runtime => {
    const alerter: PartStatus = {
      ...{ part: 'alerter', name: 'logstack-alerter', state: 'exited', statusText: 'Exited (2)', health: undefined },
      ...{ ready: false, failedStarts: 3, lastWords },
    }
    return { kind: 'process', list: async () => [alerter] } as Partial<Runtime> as Runtime
  }
  await expect(waitReady(failed('listen EADDRINUSE: address already in use ::1:9'), ['alerter'])).rejects.toMatchObject(
    {
      fix: './logstack doctor names the program that uses the port',
    },
  )
  await expect(waitReady(failed('no words'), ['alerter'])).rejects.toMatchObject({
    fix: 'read its log with: ./logstack logs alerter',
  })
})
