import { AppError } from '@logstack/errors'
import { expect, it } from 'vitest'
import { num, type Sql, sql } from '../sql/sql.ts'
import type { ReadOptions } from './engine.ts'
import { ReadCache } from './read-cache.ts'

/** An engine whose answers are given by hand. */
function handEngine() {
  const reads: {
    text: string
    signal: AbortSignal | undefined
    owner: object | undefined
    give: (text: string) => void
    fail: () => void
  }[] = []
  const bytes = (query: Sql, _format: string, options: ReadOptions = {}) =>
    new Promise<Buffer>((resolve, reject) => {
      reads.push({
        text: query.text,
        signal: options.signal,
        owner: options.owner,
        give: (text) => resolve(Buffer.from(text)),
        fail: () => reject(new Error('the engine failed')),
      })
    })
  return { reads, bytes }
}

const query = (seq: number): Sql => sql`SELECT 1 WHERE _seq <= ${num(seq)}`

it('runs equal statements once, at once and later', async () => {
  const engine = handEngine()
  const cache = new ReadCache(engine)
  const both = [cache.rows(query(1)), cache.rows(query(1))]
  expect(engine.reads).toHaveLength(1)
  engine.reads[0]?.give('[1]\n')
  expect(await Promise.all(both)).toEqual([[[1]], [[1]]])
  expect(await cache.rows(query(1))).toEqual([[1]])
  expect(engine.reads).toHaveLength(1)
  const later = cache.rows(query(2))
  engine.reads[1]?.give('[2]\n')
  expect(await later).toEqual([[2]])
})

it('reads on behalf of who asked first', () => {
  const engine = handEngine()
  const cache = new ReadCache(engine)
  const { signal } = new AbortController()
  const owner = {}
  for (const options of [{ signal }, { signal, owner }, {}])
    cache.rows(query(engine.reads.length), options).catch(() => undefined)
  expect(engine.reads.map((read) => read.owner)).toEqual([signal, owner, undefined])
  expect(engine.reads[0]?.signal).not.toBe(signal)
})

it('gives every caller rows of its own', async () => {
  const engine = handEngine()
  const cache = new ReadCache(engine)
  const first = cache.rows(query(1))
  engine.reads[0]?.give('[1]\n')
  ;(await first)[0]?.push('changed')
  expect(await cache.rows(query(1))).toEqual([[1]])
})

it('keeps nothing that failed, that has limits of its own or names no snapshot', async () => {
  const engine = handEngine()
  const cache = new ReadCache(engine)
  const failed = cache.rows(query(1))
  engine.reads[0]?.fail()
  await expect(failed).rejects.toThrow('the engine failed')
  const limits = { timeMsMax: 1, memoryBytesMax: 1 }
  const others = [
    cache.rows(query(1)),
    cache.rows(query(1), { limits }),
    cache.rows(sql`SELECT 1`),
    cache.rows(sql`SELECT 1`),
  ]
  expect(engine.reads).toHaveLength(5)
  for (const { give } of engine.reads.slice(1)) give('[1]\n')
  await Promise.all(others)
})

it('ends a statement when the last who waited for it is gone, and begins a new one for who comes then', async () => {
  const engine = handEngine()
  const cache = new ReadCache(engine)
  const [one, other] = [new AbortController(), new AbortController()]
  const waiting = [one, other].map(({ signal }) => cache.rows(query(1), { signal }).catch((error: unknown) => error))
  one.abort()
  expect(await waiting[0]).toMatchObject({ code: 'task_cancelled_exception' })
  expect(engine.reads[0]?.signal?.aborted).toBe(false)
  other.abort()
  expect(await waiting[1]).toBeInstanceOf(AppError)
  expect(engine.reads[0]?.signal?.aborted).toBe(true)
  const next = cache.rows(query(1))
  engine.reads[1]?.give('[3]\n')
  expect(await next).toEqual([[3]])
})

it('forgets what was asked for longest ago when it is full, and keeps no large answer', async () => {
  const engine = handEngine()
  const cache = new ReadCache(engine, { bytesMax: 250, answerBytesMax: 20 })
  const ask = async (seq: number, text: string) => {
    const reads = engine.reads.length
    const answer = cache.rows(query(seq))
    engine.reads[reads]?.give(text)
    await answer
    return engine.reads.length - reads
  }
  expect(await ask(1, '[1]')).toBe(1)
  expect(await ask(2, '[2]')).toBe(1)
  expect(await ask(1, '')).toBe(0)
  expect(await ask(3, '[3]')).toBe(1)
  expect(await ask(2, '[2]')).toBe(1)
  expect(await ask(4, '"a text of more than twenty bytes"')).toBe(1)
  expect(await ask(4, '"a text of more than twenty bytes"')).toBe(1)
})
