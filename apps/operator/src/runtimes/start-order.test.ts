import { type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { expect, it } from 'vitest'
import type { PartStatus, Runtime } from './runtime.ts'
import { listPatiently, startInOrder, waitReady } from './start-order.ts'

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
    fix: 'find out why, and mend it, with: ./logstack doctor; its log: ./logstack logs alerter',
  })
})

/** A runtime whose parts are ready when they were started, but for `failing`; `started` keeps the orders. */
function runtimeWithout(failing: readonly PartName[]): { runtime: Runtime; started: PartName[] } {
  const started: PartName[] = []
  const statusOf = (part: PartName): PartStatus => ({
    ...{ part, name: `logstack-${part}`, state: 'running', statusText: 'Up', health: undefined },
    ...(failing.includes(part) && { failedStarts: 3, lastWords: 'no such key' }),
    ready: started.includes(part) && !failing.includes(part),
  })
  const runtime: Partial<Runtime> = {
    kind: 'process',
    list: async () => parts.map(statusOf),
    start: async (part) => void started.push(part),
  }
  return { runtime: runtime as Runtime, started }
}

it.each<[failing: PartName[], started: PartName[]]>([
  [['alerter'], [...parts]],
  [['endpoint-manager', 'alerter'], [...parts]],
  [['dashboard'], ['search', 'endpoint-manager', 'dashboard', 'alerter']],
  [['search'], ['search']],
])('starts without %s what does not need it, and tells of it in the end', async (failing, expected) => {
  const { runtime, started } = runtimeWithout(failing)
  await expect(startInOrder(runtime, parts)).rejects.toMatchObject({
    code: operatorErrors.part_failed.code,
    message: failing.map((part) => `logstack-${part} does not start: no such key`).join('; '),
    detail: { parts: failing },
  })
  expect(started).toEqual(expected)
})

it('does not count a part as failed that became ready while others were waited for', async () => {
  let looks = 0
  const list = async (): Promise<PartStatus[]> => {
    looks += 1
    const common = { state: 'running', statusText: 'Up', health: undefined } as const
    return [
      { ...common, part: 'dashboard', name: 'logstack-dashboard', ready: looks > 2 },
      { ...common, part: 'alerter', name: 'logstack-alerter', failedStarts: 3, ready: looks > 1 },
    ]
  }
  await expect(
    waitReady({ kind: 'process', list } as Partial<Runtime> as Runtime, ['dashboard', 'alerter']),
  ).resolves.toBeUndefined()
})
