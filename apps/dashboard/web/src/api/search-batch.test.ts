import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from './client.ts'
import { searchTogether } from './search-batch.ts'

interface Sent {
  readonly lines: readonly unknown[]
  readonly signal: AbortSignal
}

/** A dashboard that answers what `answerOf` makes of each search's body, and keeps what it was sent. */
function dashboard(answerOf: (body: unknown) => unknown): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('document', { baseURI: 'https://dashboard.test/' })
  vi.stubGlobal('fetch', async (_url: URL, init: { body: string; signal: AbortSignal }) => {
    const lines = init.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    sent.push({ lines, signal: init.signal })
    const responses = lines.filter((_, at) => at % 2 === 1).map(answerOf)
    return new Response(JSON.stringify({ responses }))
  })
  return sent
}

const found = (value: number) => ({ hits: { total: { value }, hits: [] }, status: 200 })

afterEach(() => vi.unstubAllGlobals())

test('what is asked in one moment is one request, eight at most, and equal searches are one', async () => {
  const sent = dashboard((body) => found((body as { n: number }).n))
  const numbers = [...Array.from({ length: 10 }, (_, at) => at), 3]
  const answers = await Promise.all(numbers.map((n) => searchTogether('logs-*,other', { n })))
  expect(answers.map(({ hits }) => hits.total?.value)).toEqual(numbers)
  expect(sent.map(({ lines }) => lines.length / 2)).toEqual([8, 2])
  const options = { ignore_unavailable: true, allow_no_indices: true, allow_partial_search_results: true }
  expect(sent[0]?.lines[0]).toEqual({ index: ['logs-*', 'other'], ...options })
})

test('a refusal is that of its search alone', async () => {
  const error = { type: 'parsing_exception', reason: 'no such clause', root_cause: [] }
  dashboard((body) => ((body as { bad?: boolean }).bad ? { error, status: 400 } : found(1)))
  const [good, bad] = await Promise.allSettled([searchTogether('a', {}), searchTogether('a', { bad: true })])
  expect(good).toMatchObject({ status: 'fulfilled' })
  expect(bad).toMatchObject({ status: 'rejected', reason: { status: 400, message: 'no such clause' } })
  expect((bad as PromiseRejectedResult).reason).toBeInstanceOf(ApiError)
})

test('a request is dropped when nobody waits for any of its answers', async () => {
  const sent: AbortSignal[] = []
  vi.stubGlobal('document', { baseURI: 'https://dashboard.test/' })
  vi.stubGlobal('fetch', (_url: URL, { signal }: { signal: AbortSignal }) => {
    sent.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const [first, second] = [new AbortController(), new AbortController()]
  const asked = [searchTogether('a', { n: 1 }, first.signal), searchTogether('a', { n: 2 }, second.signal)]
  const settled = Promise.allSettled(asked)
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 60_000 })
  first.abort()
  expect(sent[0]?.aborted).toBe(false)
  second.abort()
  expect(sent[0]?.aborted).toBe(true)
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
