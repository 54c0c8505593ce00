import { expect, it, vi } from 'vitest'
import type { EventsBatch } from './events-batch.ts'
import { Intake } from './intake.ts'

vi.mock('../../limits.ts', async (load) => {
  const { limits } = await load<typeof import('../../limits.ts')>()
  return { limits: { ...limits, turnMs: 300 } }
})

const batchOf = (events: number) => ({ records: Array.from({ length: events }) }) as unknown as EventsBatch
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const refusal = { code: 'agent_limit_reached' }

it('reads one batch at a time, in the order they came, and none while there is no room for its events', async () => {
  const intake = new Intake(() => 10)
  const read: string[] = []
  let reading = 0
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) =>
    intake.take(async () => {
      read.push(name)
      reading += 1
      expect(reading).toBe(1)
      await settled()
      reading -= 1
      return batchOf(6)
    }),
  )
  const first = await a
  const second = await b
  await settled()
  await settled()
  expect(read).toEqual(['a', 'b'])
  first?.done()
  const third = await c
  await settled()
  await settled()
  expect(read).toEqual(['a', 'b', 'c'])
  second?.done()
  third?.done()
  await d
  expect(read).toEqual(['a', 'b', 'c', 'd'])
})

it('goes on behind a batch that cannot be read, and takes one that is larger than all there may be', async () => {
  const intake = new Intake(() => 10)
  await expect(intake.take(() => Promise.reject(new Error('no JSON')))).rejects.toThrow('no JSON')
  expect((await intake.take(async () => batchOf(100))).batch.records).toHaveLength(100)
})

it('refuses what waited too long without having read it', async () => {
  const intake = new Intake(() => 10)
  const first = await intake.take(async () => batchOf(10))
  const read = vi.fn(async () => batchOf(1))
  await expect(intake.take(read)).rejects.toMatchObject(refusal)
  expect(read).not.toHaveBeenCalled()
  first.done()
  expect((await intake.take(read)).batch.records).toHaveLength(1)
})
