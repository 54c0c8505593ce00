import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { threadTimeMs } from './run-clock.ts'
import { countRequest } from './thread-rounds.ts'
import { Turns } from './turns.ts'

/** Keeps this thread busy until others are due, and until its processor has spent as much. */
function work(ms = 60): void {
  const [from, spentFrom] = [performance.now(), threadTimeMs()]
  while (performance.now() - from < ms || threadTimeMs() - spentFrom < ms) Math.sqrt(2)
}

it('has others run once it is time, and not before', async () => {
  const order: string[] = []
  const turns = new Turns()
  // What an earlier test held the thread for.
  await turns.rest()
  setImmediate(() => order.push('other'))
  await turns.take(() => order.push('at once'))
  turns.run(work)
  expect(turns.isDue).toBe(true)
  await turns.rest()
  order.push('after its turn')
  expect(turns.isDue).toBe(false)
  expect(order).toEqual(['at once', 'other', 'after its turn'])
})

it('has others run in a round that a stopped clock met', async () => {
  const turns = new Turns()
  turns.run(work)
  const nextTurn = promisify(setImmediate)
  vi.useFakeTimers()
  try {
    await nextTurn()
  } finally {
    vi.useRealTimers()
  }
  await turns.rest()
  expect(turns.isDue).toBe(false)
})

it('lets one request after the other on, others between them', async () => {
  const order: string[] = []
  let isOver = false
  const other = (): void => {
    order.push('other')
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  const request = async (name: string): Promise<void> => {
    const turns = new Turns()
    for (let at = 0; at < 2; at += 1)
      await turns.take(() => {
        work()
        order.push(name)
      })
  }
  await Promise.all(['a', 'b', 'c'].map(request))
  isOver = true
  const runs = order.filter((name) => name !== 'other')
  expect([runs.slice(0, 3), runs.slice(3).sort()]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  for (const [at, name] of order.entries()) if (name !== 'other') expect(order[at + 1] ?? 'other').toBe('other')
})

it('ends what has used its time of the processor', async () => {
  const turns = new Turns(undefined, 50)
  turns.run(work)
  await expect(turns.rest()).rejects.toThrow('the scripts of a request may run for at most [50ms]')
})

it('ends at the next turn once nobody waits for it', async () => {
  const controller = new AbortController()
  const turns = new Turns(controller.signal)
  turns.run(work)
  controller.abort(new Error('gone'))
  await expect(turns.rest()).rejects.toThrow('gone')
})

it('lets on first who has run least', async () => {
  const order: string[] = []
  const [slow, quick] = [new Turns(), new Turns()]
  slow.run(() => work(200))
  await slow.rest()
  slow.run(work)
  await Promise.all([slow.rest().then(() => order.push('slow')), quick.rest().then(() => order.push('quick'))])
  expect(order).toEqual(['quick', 'slow'])
})

it('leaves those who wait for an answer as long as scripts took', async () => {
  const request = countRequest()
  const own = countRequest()
  const turns = new Turns()
  let rounds = 0
  const other = (): void => {
    rounds += 1
    if (rounds < 20) setImmediate(other)
    else request.ended()
  }
  turns.run(() => work(150))
  setImmediate(other)
  await turns.rest()
  own.ended()
  expect(rounds).toBeGreaterThan(5)
})
