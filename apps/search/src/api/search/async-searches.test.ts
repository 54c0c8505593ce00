import { createLogger } from '@logstack/logging'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../model/scope.ts'
import type { Services } from '../../services.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import { AsyncSearches, type AsyncSearchStart } from './async-searches.ts'

const ann = { principal: { username: 'ann' } } as unknown as Scope
const bob = { principal: { username: 'bob' } } as unknown as Scope
const never = new AbortController().signal

function searches() {
  const clock = { nowMs: 1_000_000 }
  const catalogue = { collection: () => new Map() }
  const logger = createLogger('search', 'silent')
  const services = { catalogue, now: () => clock.nowMs, logger } as unknown as Services
  const made = new AsyncSearches(services)
  const begin = (run: AsyncSearchStart['run'], keepAliveMs = 60_000) =>
    made.begin({ scope: ann, description: 'a test', headers: {}, keepAliveMs, typedKeys: false, run })
  return { made, services, clock, begin }
}

/** A search that runs until it is told to end. */
const endless = (signal: AbortSignal): Promise<Buffer> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('an asynchronous search', () => {
  it('is a task while it runs, and has its answer when it has ended', async () => {
    const { made, services, begin } = searches()
    let answer: (bytes: Buffer) => void = () => undefined
    const begun = begin(() => new Promise((resolve) => (answer = resolve)))
    await made.ended(begun, 0, never)
    expect(begun).toMatchObject({ answer: undefined, completedAtMs: undefined })
    expect(tasksOf(services).list()).toMatchObject([{ action: 'indices:data/read/async_search/submit' }])
    answer(Buffer.from('{}'))
    await made.ended(begun, 60_000, never)
    expect(made.use(begun.id, ann)).toMatchObject({ answer: Buffer.from('{}'), completedAtMs: 1_000_000 })
    expect(tasksOf(services).list()).toEqual([])
  })

  it('is found by nobody but its owner', () => {
    const { made, begin } = searches()
    const { id } = begin(endless)
    expect(made.use(id, ann).id).toBe(id)
    expect(() => made.use(id, bob)).toThrow(
      expect.objectContaining({ code: 'resource_not_found_exception', message: id }),
    )
    expect(() => made.use('other', ann)).toThrow('other')
  })

  it('ends when it is deleted or cancelled', async () => {
    const { made, services, begin } = searches()
    const deleted = begin(endless)
    made.remove(deleted)
    await made.ended(deleted, 60_000, never)
    expect(() => made.use(deleted.id, ann)).toThrow(deleted.id)
    const cancelled = begin(endless)
    const [task] = tasksOf(services).list().slice(-1)
    if (task) tasksOf(services).cancel(task, 'a test')
    await made.ended(cancelled, 60_000, never)
    expect(made.use(cancelled.id, ann).failure).toMatchObject({ code: 'task_cancelled_exception' })
  })

  it('ends with its time, which asking for it makes longer and never shorter', async () => {
    const { made, clock, begin } = searches()
    const { id } = begin(endless, 60_000)
    clock.nowMs += 59_999
    expect(made.use(id, ann, 120_000).expiresAtMs).toBe(clock.nowMs + 120_000)
    expect(made.use(id, ann, 60_000).expiresAtMs).toBe(clock.nowMs + 120_000)
    clock.nowMs += 120_000
    expect(() => made.use(id, ann)).toThrow(id)
  })

  it('keeps no answer above 10 MiB, and 128 MiB of them all', async () => {
    const { made, begin } = searches()
    const large = begin(async () => Buffer.alloc(10 * 1024 ** 2 + 1))
    await made.ended(large, 60_000, never)
    expect(large).toMatchObject({ answer: undefined, failure: { code: 'illegal_argument_exception' } })
    const many = Array.from({ length: 13 }, () => begin(async () => Buffer.alloc(10 * 1024 ** 2)))
    await Promise.all(many.map((one) => made.ended(one, 60_000, never)))
    expect(many.filter(({ answer }) => answer).length).toBe(12)
    expect(many.at(-1)).toMatchObject({ failure: { code: 'es_rejected_execution_exception' } })
  })

  it('is refused when there are five thousand', () => {
    const { made, begin } = searches()
    for (let count = 0; count < 5_000; count += 1) begin(endless)
    expect(() => begin(endless)).toThrow(expect.objectContaining({ code: 'es_rejected_execution_exception' }))
    expect(made).toBeDefined()
  })
})
