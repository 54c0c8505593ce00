import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { WriteOperation, WriteResult } from '../documents/documents.ts'
import { parseSource, writeSource } from '../documents/source-json.ts'
import type { Script } from '../painless/script.ts'
import { Double, printJson } from '../plan/json.ts'
import type { Scope } from '../security/scope.ts'
import type { Services } from '../services.ts'
import type { RouteAnswer } from './define-route.ts'
import type { Matching, MatchingDocument } from './matching-documents.ts'
import { renderCause, statusOf } from './render-error.ts'
import { writeDocuments } from './write-documents.ts'

/** What a by-query request does to each document: the write, or nothing. */
export type MakeWrite = (document: MatchingDocument) => WriteOperation | 'noop'

/** How a by-query run goes about it. */
export interface ByQueryOptions {
  readonly kind: 'update' | 'delete' | 'reindex'
  readonly make: MakeWrite
  readonly scope: Scope
  readonly signal: AbortSignal
  readonly maxDocs: number
  /** `proceed` counts version conflicts and goes on. */
  readonly proceed: boolean
  /** Documents a second; Infinity without a limit. */
  readonly rate: number
  /** `wait_for_active_shards` as given. */
  readonly activeShards: unknown
}

interface Failure {
  readonly index: string
  readonly id: string | undefined
  readonly cause: unknown
  readonly status: number
}

interface Tally {
  updated: number
  created: number
  deleted: number
  noops: number
  conflicts: number
  batches: number
  throttledMs: number
  readonly failures: Failure[]
}

/** Writes to every document found, batch by batch, and answers with Elasticsearch's by-query body. Ends early at a failure. */
export async function runByQuery(
  services: Services,
  matching: Matching,
  options: ByQueryOptions,
): Promise<RouteAnswer> {
  const started = services.now()
  const tally: Tally = {
    updated: 0,
    created: 0,
    deleted: 0,
    noops: 0,
    conflicts: 0,
    batches: 0,
    throttledMs: 0,
    failures: [],
  }
  let left = options.maxDocs
  for await (const found of matching.batches()) {
    const batch = found.slice(0, left)
    left -= batch.length
    tally.batches++
    await writeBatch(services, batch, options, tally)
    if (left <= 0 || tally.failures.length > 0) break
    const pauseMs = (batch.length / options.rate) * 1000
    if (pauseMs >= 1) {
      tally.throttledMs += Math.round(pauseMs)
      await sleep(pauseMs, undefined, { signal: options.signal })
    }
  }
  const total = Math.min(matching.total, options.maxDocs)
  return answer(tally, options, total, services.now() - started)
}

async function writeBatch(
  services: Services,
  batch: readonly MatchingDocument[],
  options: ByQueryOptions,
  tally: Tally,
): Promise<void> {
  const writes: WriteOperation[] = []
  for (const document of batch) {
    const write = options.make(document)
    if (write === 'noop') tally.noops++
    else writes.push(write)
  }
  const results = await writeDocuments(options.scope, writes, services, options.activeShards)
  for (const result of results) count(result, options, tally)
}

function count(result: WriteResult, options: ByQueryOptions, tally: Tally): void {
  if (!('error' in result)) {
    if (result.result === 'created') tally.created++
    else if (result.result === 'deleted') tally.deleted++
    else if (result.result === 'updated') tally.updated++
    else tally.noops++
    return
  }
  const status = statusOf(result.error)
  if (isAppError(result.error) && result.error.code === searchErrors.version_conflict_engine_exception.code) {
    tally.conflicts++
    if (options.proceed) return
  }
  tally.failures.push({ index: result.index, id: result.id, cause: renderCause(result.error), status })
}

function answer(tally: Tally, { kind, rate }: ByQueryOptions, total: number, took: number): RouteAnswer {
  const json = {
    took,
    timed_out: false,
    total,
    ...(kind === 'delete' ? {} : { updated: tally.updated }),
    ...(kind === 'reindex' ? { created: tally.created } : {}),
    deleted: tally.deleted,
    batches: tally.batches,
    version_conflicts: tally.conflicts,
    noops: tally.noops,
    retries: { bulk: 0, search: 0 },
    throttled_millis: tally.throttledMs,
    requests_per_second: new Double(Number.isFinite(rate) ? rate : -1),
    throttled_until_millis: 0,
    failures: tally.failures,
  }
  const status = tally.failures.reduce((worst, failure) => Math.max(worst, failure.status), 200)
  return { status, jsonBytes: Buffer.from(printJson(json)) }
}

/** What a script makes of a document. */
export interface Scripted {
  readonly op: 'index' | 'noop' | 'delete'
  readonly source: Buffer
  readonly ctx: Readonly<Record<string, unknown>>
}

const metadata = ['_index', '_id', '_version', '_routing', '_now'] as const

/**
 * Runs a script over a document as by-query requests do. `moveTo`: the destination of `_reindex`, where a script may set `_index`, `_id`, `_version` and
 * `_routing`. Throws `illegal_argument_exception` for other changes and unknown operations.
 */
export function runScript(script: Script, document: MatchingDocument, nowMs: number, moveTo?: string): Scripted {
  const before = {
    _index: moveTo ?? document.index.name,
    _id: document.id,
    _version: document.version,
    _routing: document.routing === '' ? null : document.routing,
    _now: nowMs,
  }
  const ctx: Record<string, unknown> = { op: 'index', _source: parseSource(document.source), ...before }
  script(ctx)
  const extra = Object.keys(ctx).find(
    (key) => key !== 'op' && key !== '_source' && !metadata.some((name) => name === key),
  )
  if (extra !== undefined) throw invalid(`Invalid fields added to context [${extra}]`)
  const moved = moveTo !== undefined ? undefined : metadata.find((name) => ctx[name] !== before[name])
  if (moved !== undefined) throw invalid(`Modifying [${moved}] not allowed`)
  const op = ctx['op'] === 'none' ? 'noop' : ctx['op']
  if (op !== 'index' && op !== 'noop' && op !== 'delete') {
    throw invalid(`Operation type [${String(ctx['op'])}] not allowed, only [noop, index, delete] are allowed`)
  }
  const source = ctx['_source']
  if (typeof source !== 'object' || source === null || Array.isArray(source))
    throw invalid('[_source] must be an object')
  return { op, source: writeSource(source as Record<string, unknown>), ctx }
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}
