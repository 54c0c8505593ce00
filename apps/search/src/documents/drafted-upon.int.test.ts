import { AppError, searchErrors } from '@logstack/errors'
import { afterAll, expect, it } from 'vitest'
import type { Store } from '../store/store.ts'
import { index, OpenDocuments, remove, temporaryDirectories, update } from './documents.fixture.ts'

const directories = temporaryDirectories()
afterAll(() => directories.remove())

/** A store whose commit records, each, wait for a word: to be written or to fail. */
class SlowStore {
  readonly #waiting: { begin(): void; fail(): void }[] = []

  readonly wrap = (inner: Store): Store => ({
    ...inner,
    collection: (name) => inner.collection(name),
    transaction: (work) =>
      new Promise((resolve, reject) => {
        const full = new AppError(searchErrors.cluster_block_exception, 'no room for the record')
        this.#waiting.push({ begin: () => inner.transaction(work).then(resolve, reject), fail: () => reject(full) })
      }),
  })

  get waiting(): number {
    return this.#waiting.length
  }

  begin(): void {
    for (const one of this.#waiting.splice(0)) one.begin()
  }

  fail(): void {
    for (const one of this.#waiting.splice(0)) one.fail()
  }
}

/** Each request is a batch of its own, and none waits for the one before it. */
const limits = { smallBatchOperations: 0, batchOperationsMax: 2, commitIntervalMs: 0 }

const firstBatch = [index('1', { a: 1 }), index('2', { a: 2 })]
const secondBatch = [update('1', { doc: { b: 1 } }), remove('2')]

async function openSlow(): Promise<{ slow: SlowStore; opened: OpenDocuments }> {
  const slow = new SlowStore()
  const opened = await OpenDocuments.open(directories.next(), { limits, wrapStore: slow.wrap })
  return { slow, opened }
}

async function end(slow: SlowStore, opened: OpenDocuments): Promise<void> {
  const timer = setInterval(() => slow.begin(), 5)
  await opened.close()
  clearInterval(timer)
}

it('drafts a batch upon the one that is on its way to the disk, and answers it after that', async () => {
  const { slow, opened } = await openSlow()
  try {
    const answered: string[] = []
    const first = opened.outcome(...firstBatch).finally(() => answered.push('first'))
    const second = opened.outcome(...secondBatch).finally(() => answered.push('second'))
    await expect.poll(() => slow.waiting).toBe(1)
    expect(answered).toEqual([])
    slow.begin()
    expect(await first).toEqual([
      ['created', 1, 0, 201],
      ['created', 1, 1, 201],
    ])
    await expect.poll(() => slow.waiting).toBe(1)
    expect(answered).toEqual(['first'])
    slow.begin()
    expect(await second).toEqual([
      ['updated', 2, 2, 200],
      ['deleted', 2, 3, 200],
    ])
    expect(await opened.sources()).toEqual({ 1: '{"a":1,"b":1}' })
  } finally {
    await end(slow, opened)
  }
})

it('drafts a batch anew when the one it was drafted upon never came to be', async () => {
  const { slow, opened } = await openSlow()
  try {
    const first = opened.outcome(...firstBatch)
    const second = opened.outcome(...secondBatch)
    await expect.poll(() => slow.waiting).toBe(1)
    slow.fail()
    expect(await first).toEqual([
      ['cluster_block_exception', 'no room for the record'],
      ['cluster_block_exception', 'no room for the record'],
    ])
    await expect.poll(() => slow.waiting).toBe(1)
    slow.begin()
    expect(await second).toEqual([
      ['document_missing_exception', '[1]: document missing'],
      ['not_found', 1, 0, 404],
    ])
    expect(await opened.sources()).toEqual({})
    const third = opened.outcome(index('3', { a: 3 }))
    await expect.poll(() => slow.waiting).toBe(1)
    slow.begin()
    expect(await third).toEqual([['created', 1, 1, 201]])
    expect(await opened.sources()).toEqual({ 3: '{"a":3}' })
  } finally {
    await end(slow, opened)
  }
})
