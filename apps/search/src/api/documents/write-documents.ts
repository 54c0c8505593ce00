import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { WriteResult } from '../../documents/documents.ts'
import { operationCounters } from '../../documents/operation-counts.ts'
import { defaultLimits } from '../../documents/write-limits.ts'
import type { UpdateRequest, WriteOperation } from '../../documents/write-operation.ts'
import { bodySourceChoice, type SourceChoice } from '../../dsl/source-choice.ts'
import { isHeldBack } from '../../indices/held-back.ts'
import { writeShards } from '../../indices/shards.ts'
import { statusCounters } from '../../indices/status-counts.ts'
import { createIngest } from '../../ingest/ingest-operation.ts'
import { storedScripts } from '../../ingest/pipelines.ts'
import { JsonPiece } from '../../json/print-json.ts'
import type { Principal, Scope } from '../../model/scope.ts'
import { keepingSource } from '../../painless/document-context.ts'
import { compileScript, compileSource, readScript, type Script } from '../../painless/script.ts'
import { Turns } from '../../painless/turns.ts'
import { forbidden, hiddenFields } from '../../security/denied.ts'
import { visibleSource } from '../../security/visible-source.ts'
import type { Services } from '../../services.ts'
import { renderCause, statusOf } from '../render-error.ts'
import { autoCreateRefusal } from './auto-create.ts'

/** The parameters that every write of documents takes. */
export const writeParameters = {
  refresh: ['true', 'false', 'wait_for'],
  routing: 'string',
  timeout: 'time',
  wait_for_active_shards: 'string',
  pipeline: 'string',
  require_alias: 'boolean',
  require_data_stream: 'boolean',
  include_source_on_error: 'boolean',
} as const

/** Compiles a script of a request; one named by `id` is looked up among the stored ones. */
export function requestScript({ catalogue }: Services): (script: unknown) => Script {
  return (script) => compileScript(script, storedScripts(catalogue))
}

/** Scripts of one request that are kept compiled: most updates of a bulk have the same. */
const compiledMax = 100

/** The scripts of a request's updates as the store runs them; they throw once `signal` is aborted. */
export function updateScript(
  services: Services,
  signal: AbortSignal,
): (script: unknown) => NonNullable<UpdateRequest['script']> {
  const stored = storedScripts(services.catalogue)
  const compiled = new Map<string, ReturnType<typeof compileSource>>()
  const compile = (source: string): ReturnType<typeof compileSource> => {
    const made = compiled.get(source) ?? compileSource(source)
    if (compiled.size < compiledMax) compiled.set(source, made)
    return made
  }
  // Whoever writes waits for those whose writes are being worked out: all updates of a request have their time together.
  const turns = new Turns(signal)
  return (script) => {
    const { source, params } = updating(() => readScript(script, stored))
    return (ctx) => {
      turns.check()
      // Thousands of scripts are compiled where others have their turn between them.
      turns.run(() => updating(() => compile(source)(params)(keepingSource(ctx))))
    }
  }
}

/** A fault of an update's script, as Elasticsearch reports it. */
function updating<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AppError(searchErrors.illegal_argument_exception, 'failed to execute script', { cause: thrown })
  }
}

function actionOf(operation: WriteOperation): string {
  if (operation.action === 'update' || operation.action === 'delete') return `indices:data/write/${operation.action}`
  return `indices:data/write/index:op_type/${operation.action}`
}

const autoCreate = 'indices:admin/auto_create'
const bulkOfShard = 'indices:data/write/bulk[s]'

/** Why the caller may not do this write; undefined when it may. Every write is one of a bulk, as in Elasticsearch. */
function refusal(scope: Scope, operation: WriteOperation, { catalogue }: Services): AppError | undefined {
  const { index: name } = operation
  const exists =
    catalogue.index(name) !== undefined || catalogue.dataStream(name) !== undefined || isAlias(name, catalogue)
  const needed = [...(exists ? [] : [autoCreate]), bulkOfShard, actionOf(operation)]
  const missing = needed.find((action) => !scope.hasIndex(action, name))
  if (missing !== undefined) return forbidden(scope, missing, 'index', missing, [name])
  const narrowed = scope.documentFilters(name).length > 0 || (scope.limitsFields?.(name) ?? false)
  // An update reads what it changes.
  if (operation.action === 'update' && narrowed && scope.hasIndex('read', name)) return hiddenFields(scope, name)
  return exists ? undefined : autoCreateRefusal(name, { catalogue })
}

function isAlias(name: string, catalogue: Services['catalogue']): boolean {
  for (const index of catalogue.indices()) if (Object.hasOwn(index.aliases, name)) return true
  return false
}

/** `wait_for_active_shards` and `refresh` of a request. */
export interface WriteWaits {
  readonly activeShards: unknown
  /** How long it would wait for them. */
  readonly timeoutMs: number
  /** Whether searches must see the writes once they are answered, also where an index is held back. */
  readonly refreshes: boolean
  /** Ends the pipelines of documents, of which none is written then. */
  readonly signal?: AbortSignal
  /** Asked where the queue of writes is full: resolves once they are to be tried again, false where they are not. */
  readonly whenFull?: () => Promise<boolean>
}

const timeoutMsDefault = 60_000

/** What a write's parameters ask to wait for. */
export function writeWaitsOf(query: Readonly<Record<string, unknown>>, signal?: AbortSignal): WriteWaits {
  const { wait_for_active_shards: activeShards, timeout, refresh } = query
  const refreshes = refresh === 'true' || refresh === 'wait_for'
  const timeoutMs = typeof timeout === 'number' ? timeout : timeoutMsDefault
  return { activeShards, timeoutMs, refreshes, ...(signal ? { signal } : {}) }
}

const timeUnits = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const

/** A length of time as Elasticsearch writes it in texts: `1m`, `1.5s`, `30ms`. */
function shownTime(ms: number): string {
  const [size, unit] = timeUnits.find(([least]) => ms >= least) ?? [1, 'ms']
  return `${Math.round((ms / size) * 10) / 10}${unit}`
}

/**
 * Why a write does not meet `wait_for_active_shards`: there is one copy of each shard and never another, so more is refused at once instead
 * of at the end of the time limit.
 */
function shardsMissing(
  operation: WriteOperation,
  { activeShards: wanted, timeoutMs }: WriteWaits,
  { catalogue }: Services,
): AppError | undefined {
  if (wanted === undefined || wanted === '0' || wanted === '1') return undefined
  const copies = 1 + Number(catalogue.index(operation.index)?.settings['number_of_replicas'] ?? 0)
  const needed = wanted === 'all' ? copies : Number(wanted)
  if (!Number.isInteger(needed) || needed < 0) {
    return new AppError(searchErrors.illegal_argument_exception, `cannot parse ActiveShardCount[${String(wanted)}]`, {
      cause: new AppError(searchErrors.number_format_exception, `For input string: "${String(wanted)}"`),
    })
  }
  if (needed <= 1) return undefined
  const reason = `[${operation.index}][0] Not enough active copies to meet shard count of [${needed}] (have 1, needed ${needed}). Timeout: [${shownTime(timeoutMs)}]`
  return new AppError(searchErrors.unavailable_shards_exception, reason)
}

/** The same answer as `refusal`: most writes of a request are alike to it, and who may is asked once for all of them. */
function createRefusal(scope: Scope, services: Services): (operation: WriteOperation) => AppError | undefined {
  const allowed = { named: new Map<string, Set<string>>(), unnamed: new Map<string, Set<string>>() }
  return (operation) => {
    const { action, index, id } = operation
    const byIndex = id === undefined ? allowed.unnamed : allowed.named
    const actions = byIndex.get(index)
    if (actions?.has(action)) return undefined
    const error = refusal(scope, operation, services)
    if (error) return error
    byIndex.set(index, (actions ?? new Set()).add(action))
    return undefined
  }
}

/** What became of a write before it reaches the store: it is to be done, or answered already. */
type Prepared = WriteOperation | WriteResult

const isWrite = (one: Prepared): one is WriteOperation => 'action' in one

/** Bytes of documents that pipelines may make of one request, which are held until the last is made: as many as may wait to be written. */
const madeBytesMax = defaultLimits.waitingBytesMax

function tooMuchMade(bytes: number): AppError {
  const reason = `rejected execution of coordinating operation [coordinating_operation_bytes=${bytes}, max_coordinating_and_primary_bytes=${madeBytesMax}]`
  return new AppError(searchErrors.es_rejected_execution_exception, reason)
}

/** Runs the pipelines of a batch; `onIngest` hears how long that took, when there were any. */
async function runPipelines(
  given: readonly Prepared[],
  principal: Principal,
  { catalogue, now, logger }: Services,
  onIngest: ((tookMs: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Prepared[]> {
  const started = now()
  const ingest = createIngest(catalogue, started, principal)
  const turns = new Turns(signal, Number.POSITIVE_INFINITY)
  let ran = false
  const failed = ({ index, id }: WriteOperation, thrown: unknown): Prepared => {
    ran = true
    if (!isAppError(thrown)) logger.error({ err: thrown }, 'pipeline failed')
    return { index, id, error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }
  const apply = (operation: WriteOperation): Prepared => {
    try {
      const ingested = ingest.apply(operation)
      if (ingested === 'dropped') ran = true
      else ran ||= ingested.ran
      return ingested === 'dropped' ? dropped(operation) : ingested.operation
    } catch (thrown) {
      return failed(operation, thrown)
    }
  }
  /** What there is to say of an operation before any pipeline runs; undefined when one has to. */
  const untouched = (one: Prepared): Prepared | undefined => {
    if (!isWrite(one)) return one
    try {
      return ingest.concerns(one) ? undefined : one
    } catch (thrown) {
      // Its index would be made by templates that cannot be put together.
      return failed(one, thrown)
    }
  }
  const prepared: Prepared[] = []
  let made = 0
  for (const one of given) {
    const asItIs = untouched(one)
    if (asItIs !== undefined || !isWrite(one)) {
      prepared.push(asItIs ?? one)
      continue
    }
    if (turns.isDue) await turns.rest()
    const ingested = turns.run(() => apply(one))
    made += isWrite(ingested) ? (ingested.source?.length ?? 0) : 0
    prepared.push(ingested)
    if (made > madeBytesMax) throw tooMuchMade(made)
  }
  if (ran) onIngest?.(now() - started)
  return prepared
}

/** A document that a pipeline took out is answered as one that nothing was done to. */
function dropped({ index, id }: WriteOperation): WriteResult {
  return { index, id: id ?? '', version: -3, seqNo: -2, result: 'noop', status: 200 }
}

/** Others are refreshed by whoever searches them. */
async function refreshHeldBack(results: readonly WriteResult[], { catalogue, documents }: Services): Promise<void> {
  const indices = [...new Set(results.map(({ index }) => index))].flatMap((name) => catalogue.index(name) ?? [])
  await documents.shown(indices.filter(isHeldBack).map(({ table }) => table))
}

async function applyWhenFree(
  writes: readonly WriteOperation[],
  { documents }: Services,
  { whenFull }: WriteWaits,
): Promise<WriteResult[]> {
  for (;;) {
    try {
      return await documents.apply(writes)
    } catch (thrown) {
      const isFull = isAppError(thrown) && thrown.code === searchErrors.es_rejected_execution_exception.code
      if (!isFull || (await whenFull?.()) !== true) throw thrown
    }
  }
}

/** Writes documents for a caller: one result an operation, in order; what the caller may not do is an error of its item. */
export async function writeDocuments(
  scope: Scope,
  operations: readonly WriteOperation[],
  services: Services,
  waits: WriteWaits,
  onIngest?: (tookMs: number) => void,
): Promise<WriteResult[]> {
  const refused = createRefusal(scope, services)
  const check = (operation: WriteOperation): Prepared => {
    const error = refused(operation) ?? shardsMissing(operation, waits, services)
    return error ? { index: operation.index, id: operation.id, error } : operation
  }
  const allowed = operations.map(check)
  const ingested = await runPipelines(allowed, scope.principal, services, onIngest, waits.signal)
  // A pipeline may have sent the document to another index, where the caller may less.
  const prepared = ingested.map((one, at) => (isWrite(one) && one.index !== allowed[at]?.index ? check(one) : one))
  const began = performance.now()
  const applied = await applyWhenFree(prepared.filter(isWrite), services, waits)
  if (waits.refreshes) await refreshHeldBack(applied, services)
  operationCounters(services).written(applied, services.catalogue.index, performance.now() - began)
  let next = 0
  const results = prepared.map((one) => {
    const result = isWrite(one) ? applied[next++] : one
    if (result === undefined) throw new Error('BUG: fewer results than operations')
    return result
  })
  const statuses = statusCounters(services)
  for (const result of results) statuses.count('documents', 'error' in result ? statusOf(result.error) : result.status)
  return results
}

/** Writes one document; its error is thrown. */
export async function writeDocument(
  scope: Scope,
  operation: WriteOperation,
  services: Services,
  waits: WriteWaits,
): Promise<Exclude<WriteResult, { error: Error }>> {
  const [result] = await writeDocuments(scope, [operation], services, waits)
  if (!result) throw new Error('BUG: no result of a write')
  if ('error' in result) throw result.error
  return result
}

/** A successful write as its answer and its bulk item show it. */
export function showWrite(
  result: Exclude<WriteResult, { error: Error }>,
  { catalogue }: Services,
  refresh: unknown,
): Record<string, unknown> {
  const index = catalogue.index(result.index)
  return {
    _index: result.index,
    _id: result.id,
    _version: result.version,
    result: result.result,
    ...(refresh === 'true' ? { forced_refresh: true } : {}),
    _shards: result.result === 'noop' ? { total: 0, successful: 0, failed: 0 } : index ? writeShards(index) : {},
    // Nothing was written, so there is no number.
    ...(result.seqNo < 0 ? {} : { _seq_no: result.seqNo, _primary_term: 1 }),
  }
}

/** What an update shows of the document it made; undefined when it was not asked for. Holds JSON pieces. */
export function showUpdated(
  scope: Scope,
  result: Exclude<WriteResult, { error: Error }>,
  services: Services,
  choice: SourceChoice,
): Record<string, unknown> | undefined {
  const index = services.catalogue.index(result.index)
  const source = result.source && index ? visibleSource(scope, index, result.source, choice) : undefined
  if (!source) return undefined
  return { _seq_no: result.seqNo, _primary_term: 1, found: true, _source: new JsonPiece(source.toString('utf8')) }
}

/** How a bulk shows its items. */
export interface ItemOptions {
  readonly refresh: unknown
  readonly scope: Scope
  /** What updates show of the source when they do not say it themselves. */
  readonly standard: SourceChoice | undefined
}

/** One item of a bulk answer. */
export function showItem(
  operation: WriteOperation,
  result: WriteResult,
  services: Services,
  { refresh, scope, standard }: ItemOptions,
): Record<string, unknown> {
  if (!('error' in result)) {
    const choice = operation.update ? (bodySourceChoice(operation.update.shownSource) ?? standard ?? false) : false
    const get = choice === false ? undefined : showUpdated(scope, result, services, choice)
    // No literal that begins with a spread, which V8 is slow to make; there is one for every document.
    const written = Object.assign(showWrite(result, services, refresh), { status: result.status }, get && { get })
    return { [operation.action]: written }
  }
  const { error } = result
  if (!isAppError(error)) services.logger.error({ err: error }, 'bulk item failed')
  const shown = { _index: result.index, ...(result.id === undefined ? { _id: null } : { _id: result.id }) }
  return { [operation.action]: { ...shown, status: statusOf(error), error: renderCause(error) } }
}

/** What a write needs but lacks. */
export function bodyRequired(): AppError {
  return new AppError(searchErrors.parse_exception, 'request body is required')
}
