import { withCalculated } from './calculated-fields.ts'
import { ApiError, errorOf, request } from './client.ts'
import type { SearchAnswer } from './search.ts'

interface Waiting {
  readonly line: string
  readonly signal: AbortSignal | undefined
  readonly resolve: (answer: SearchAnswer) => void
  readonly reject: (reason: unknown) => void
}

/** Searches in one request; search runs them side by side, and the browser opens few connections. */
const batchMax = 8
let waiting: Waiting[] = []

/**
 * Searches like `search` with `partial`, together with whatever else is asked in the same moment: panels of a dashboard ask all at once. Each answer or
 * refusal is its own; equal searches are one. A request is dropped when nobody waits for any of its answers.
 */
export function searchTogether(index: string, body: unknown, signal?: AbortSignal): Promise<SearchAnswer> {
  const header = {
    index: index.split(','),
    ignore_unavailable: true,
    allow_no_indices: true,
    allow_partial_search_results: true,
  }
  const line = `${JSON.stringify(header)}\n${JSON.stringify(withCalculated(index, body))}\n`
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(sendWaiting, 0)
    waiting.push({ line, signal, resolve, reject })
  })
}

function sendWaiting(): void {
  const byLine = new Map<string, Waiting[]>()
  for (const one of waiting) byLine.set(one.line, [...(byLine.get(one.line) ?? []), one])
  waiting = []
  const distinct = [...byLine.values()]
  for (let from = 0; from < distinct.length; from += batchMax) void sendBatch(distinct.slice(from, from + batchMax))
}

async function sendBatch(batch: readonly (readonly Waiting[])[]): Promise<void> {
  const { signal, release } = whenAllAborted(batch.flat().map((one) => one.signal))
  try {
    const body = batch.map(([first]) => first?.line ?? '').join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    const query = { path: '_msearch' }
    const answer = await request<{ responses: Answered[] }>('api/search', {
      method: 'POST',
      query,
      body,
      headers,
      signal,
    })
    for (const [at, asking] of batch.entries()) settle(asking, answer.responses[at])
  } catch (thrown) {
    for (const { reject } of batch.flat()) reject(thrown)
  } finally {
    release()
  }
}

type Answered = SearchAnswer & { readonly status?: number; readonly error?: unknown }

function settle(asking: readonly Waiting[], found: Answered | undefined): void {
  for (const { resolve, reject, signal } of asking) {
    if (signal?.aborted) reject(signal.reason)
    else if (found === undefined)
      reject(new ApiError(502, 'search answered fewer searches than it was asked', undefined, undefined))
    else if (found.error !== undefined) reject(errorOf(found.status ?? 500, found))
    else resolve(found)
  }
}

/** A signal that aborts when all of several have; never while one of them is missing. */
function whenAllAborted(signals: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const look = (): void => {
    if (signals.every((signal) => signal?.aborted)) controller.abort()
  }
  for (const signal of signals) signal?.addEventListener('abort', look)
  look()
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal?.removeEventListener('abort', look)
    },
  }
}
