import { type HealthDocument, type HealthStatus, healthIndex } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { ensureHiddenIndex, type SearchClient } from '@logstack/search-client'
import type { Examined } from '../doctor/examine.ts'

interface KnownStates {
  readonly hits: {
    readonly hits: readonly { readonly _id: string; readonly _source: KnownHealth }[]
  }
}

const checksMax = 500

/** What a status that lasts began with. */
export type KnownHealth = Pick<HealthDocument, 'status' | 'since'>

/**
 * Writes what the checks saw, a document each; a check that is no more loses its document. `before` is what was known beside search, which
 * may have been down meanwhile. Throws an `AppError` when search does not take it.
 */
export async function recordHealth(
  search: SearchClient,
  examined: readonly Examined[],
  { now, before: beside = new Map() }: { readonly now: Date; readonly before?: ReadonlyMap<string, KnownHealth> },
): Promise<void> {
  await ensureHiddenIndex(search, healthIndex)
  const before = await search.request<KnownStates>({
    method: 'POST',
    path: `/${healthIndex.name}/_search`,
    body: { size: checksMax, _source: ['status', 'since'] },
  })
  const known = new Map(before.body.hits.hits.map(({ _id, _source }) => [_id, _source]))
  const documents = examined.map((one) =>
    healthDocument(one, now, beside.get(one.fault.name) ?? known.get(one.fault.name)),
  )
  const gone = [...known.keys()].filter((id) => !documents.some(({ check }) => check === id))
  const lines = [
    ...documents.flatMap((document) => [{ index: { _id: document.check } }, document]),
    ...gone.map((id) => ({ delete: { _id: id } })),
  ]
  const { body } = await search.request<{ errors: boolean; items: unknown }>({
    method: 'POST',
    path: `/${healthIndex.name}/_bulk`,
    query: { refresh: true },
    contentType: 'application/x-ndjson',
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  if (!body.errors) return
  const message = `search did not take the state of health: ${JSON.stringify(body.items).slice(0, 500)}`
  throw new AppError(operatorErrors.part_refused, message, { fix: './logstack doctor' })
}

/** The document of one check. A status that lasts keeps the time at which it began. */
export function healthDocument({ fault, outcome, follows }: Examined, now: Date, before?: KnownHealth): HealthDocument {
  const time = now.toISOString()
  const status: HealthStatus = outcome.status === 'fault' && follows !== undefined ? 'consequence' : outcome.status
  const head = {
    '@timestamp': time,
    since: before?.status === status ? before.since : time,
    check: fault.name,
    title: fault.title,
    status,
  }
  if (outcome.status === 'unknown') return { ...head, message: outcome.why }
  if (outcome.status !== 'fault') return { ...head, message: outcome.detail }
  const { problem, evidence, meaning, plan, repair } = outcome
  return {
    ...head,
    message: problem,
    evidence: [...evidence],
    meaning,
    plan: [...plan],
    repairable: repair !== undefined,
    ...(follows === undefined ? {} : { follows }),
  }
}
