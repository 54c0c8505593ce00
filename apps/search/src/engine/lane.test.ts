import { AppError } from '@logstack/errors'
import { expect, it, vi } from 'vitest'
import { createLane } from './lane.ts'

interface Gate {
  readonly promise: Promise<string>
  open(value: string): void
}

function gate(): Gate {
  let open: (value: string) => void = () => undefined
  const promise = new Promise<string>((resolve) => {
    open = resolve
  })
  return { promise, open: (value) => open(value) }
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : String(thrown)),
  )

it('gives each slot one work at a time, in order of arrival', async () => {
  const lane = createLane('light', ['a', 'b'], 10)
  const gates = [gate(), gate(), gate(), gate()]
  const began: string[] = []
  const works = gates.map(({ promise }, at) =>
    lane.run((slot) => {
      began.push(`${at}${slot}`)
      return promise
    }),
  )
  expect(began).toEqual(['0a', '1b'])
  gates[1]?.open('one')
  await works[1]
  await expect.poll(() => began).toEqual(['0a', '1b', '2b'])
  gates[0]?.open('zero')
  await expect.poll(() => began).toEqual(['0a', '1b', '2b', '3a'])
  gates[2]?.open('two')
  gates[3]?.open('three')
  expect(await Promise.all(works)).toEqual(['zero', 'one', 'two', 'three'])
})

it('takes a free slot that fits, else the first that is free', async () => {
  const lane = createLane('light', ['a', 'b', 'c'], 10)
  const first = gate()
  const holding = lane.run((slot) => first.promise.then(() => slot), { fits: (slot) => slot === 'b' })
  const wanting = (wanted: string): Promise<string> =>
    lane.run(async (slot) => slot, { fits: (slot) => slot === wanted })
  expect(await wanting('c')).toBe('c')
  expect(await wanting('b')).toBe('a')
  first.open('done')
  expect(await holding).toBe('b')
})

it('keeps a slot busy until its work has ended, though the caller has gone', async () => {
  const lane = createLane('light', ['only'], 10)
  const first = gate()
  const aborter = new AbortController()
  const onAbandon = vi.fn()
  const abandoned = lane.run(() => first.promise, { signal: aborter.signal, onAbandon })
  aborter.abort()
  expect(await codeOf(abandoned)).toBe('task_cancelled_exception')
  expect(onAbandon).toHaveBeenCalledTimes(1)
  let began = false
  const second = lane.run(async () => {
    began = true
  })
  await Promise.resolve()
  expect(began).toBe(false)
  first.open('late')
  await second
  expect(began).toBe(true)
})

it('counts waiting towards the time limit and tells nobody to end what never began', async () => {
  vi.useFakeTimers()
  const lane = createLane('light', ['only'], 10)
  const first = gate()
  const onAbandon = vi.fn()
  const running = lane.run(() => first.promise)
  const work = vi.fn()
  const waiting = codeOf(lane.run(work, { timeMsMax: 50, onAbandon }))
  await vi.advanceTimersByTimeAsync(50)
  vi.useRealTimers()
  expect(await waiting).toBe('search_timeout')
  first.open('done')
  await running
  expect(work).not.toHaveBeenCalled()
  expect(onAbandon).not.toHaveBeenCalled()
})

it('refuses what does not fit its queue, and everything once closed', async () => {
  const lane = createLane('light', ['only'], 1)
  const first = gate()
  const running = lane.run(() => first.promise)
  const waiting = codeOf(lane.run(async () => 'never'))
  expect(await codeOf(lane.run(async () => 'never'))).toBe('es_rejected_execution_exception')
  const figures = { name: 'light', slots: 1, waitingMax: 1, workingMost: 1 }
  expect(lane.figures()).toEqual({ ...figures, working: 1, waiting: 1, completed: 0, rejected: 1 })
  const closing = lane.close()
  expect(await waiting).toBe('engine_closed')
  first.open('done')
  expect(await running).toBe('done')
  await closing
  expect(lane.figures()).toEqual({ ...figures, working: 0, waiting: 0, completed: 1, rejected: 1 })
  expect(await codeOf(lane.run(async () => 'never'))).toBe('engine_closed')
})

it('lets owners take turns, and refuses none that has works in it already', async () => {
  const lane = createLane('light', ['only'], 2)
  const first = gate()
  const running = lane.run(() => first.promise)
  const [many, few, late] = [{}, {}, {}]
  const done: string[] = []
  const work = (name: string, owner: object) =>
    lane.run(
      async () => {
        done.push(name)
      },
      { owner },
    )
  const works = ['a1', 'a2', 'a3', 'a4'].map((name) => work(name, many))
  works.push(work('b1', few), work('b2', few))
  expect(lane.figures().waiting).toBe(6)
  expect(await codeOf(work('c', late))).toBe('es_rejected_execution_exception')
  expect(await codeOf(lane.run(async () => 'never'))).toBe('es_rejected_execution_exception')
  works.push(work('a5', many))
  first.open('done')
  await running
  await Promise.all(works)
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'a5'])
  await work('c', late)
})

it('forgets the works of an owner who is gone', async () => {
  const lane = createLane('light', ['only'], 1)
  const first = gate()
  const running = lane.run(() => first.promise)
  const aborter = new AbortController()
  const { signal } = aborter
  const abandoned = [1, 2].map(() => codeOf(lane.run(async () => 'never', { signal, owner: signal })))
  aborter.abort()
  expect(await Promise.all(abandoned)).toEqual(['task_cancelled_exception', 'task_cancelled_exception'])
  const other = lane.run(async () => 'other')
  first.open('done')
  expect([await running, await other]).toEqual(['done', 'other'])
})
