import { AppError, searchErrors } from '@logstack/errors'
import type { WriteOperation } from '../documents/write-operation.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import { parseSource, writeSource } from '../json/source-json.ts'
import type { Principal } from '../model/scope.ts'
import { unfit } from '../refusals/unfit.ts'
import type { Outcome, Pipeline, PipelineRun } from './define-processor.ts'
import { IngestDocument } from './ingest-document.ts'
import { pipelinesOf } from './pipelines.ts'
import { runPipeline } from './run-steps.ts'

/** What pipelines made of a write: the write to do, or nothing to write. */
export type Ingested = { readonly operation: WriteOperation; readonly ran: boolean } | 'dropped'

/** Pipelines of one batch of writes: each is looked up once. */
export interface Ingest {
  /** Whether a write names a pipeline or goes where one stands; `apply` leaves all others as they are. */
  concerns(operation: WriteOperation): boolean
  /** Runs the pipelines in force for a write. Throws what the document's fault is. */
  apply(operation: WriteOperation): Ingested
}

/** Prepares a batch; `nowMs` is the time all its documents get, `principal` who sent them. */
export function createIngest(catalogue: Catalogue, nowMs: number, principal?: Principal): Ingest {
  const found = new Map<string, Pipeline | undefined>()
  const find = (id: string): Pipeline | undefined => {
    if (!found.has(id)) found.set(id, pipelinesOf(catalogue).find(id))
    return found.get(id)
  }
  const settings = new Map<string, Standing>()
  const standing = (index: string): Standing => {
    const known = settings.get(index) ?? standingPipelines(catalogue, index)
    settings.set(index, known)
    return known
  }
  const batch = { catalogue, find, standing, nowMs, principal }
  return {
    concerns: (operation) => concerns(operation, batch),
    apply: (operation) => applyPipelines(operation, batch),
  }
}

interface Standing {
  readonly first: string | undefined
  readonly last: string | undefined
}

interface Batch {
  readonly catalogue: Catalogue
  readonly find: (id: string) => Pipeline | undefined
  readonly standing: (index: string) => Standing
  readonly nowMs: number
  readonly principal: Principal | undefined
}

/** The default and final pipeline of the index a name leads to, or of the one that would be made. */
function standingPipelines(catalogue: Catalogue, name: string): Standing {
  const behindAlias = (): Iterable<string> =>
    [...catalogue.indices()]
      .filter((index) => Object.hasOwn(index.aliases, name))
      .sort(
        (a, b) => Number(b.aliases[name]?.is_write_index ?? false) - Number(a.aliases[name]?.is_write_index ?? false),
      )
      .map((index) => index.name)
  const stream = catalogue.dataStream(name)?.indices.at(-1)
  const named = catalogue.index(name)
  const [behind] = named ? [] : stream === undefined ? behindAlias() : [stream]
  const index = named ?? (behind === undefined ? undefined : catalogue.index(behind))
  const settings = index ? index.settings : catalogue.templateFor(name)?.settings
  return { first: unlessNone(settings?.['default_pipeline']), last: unlessNone(settings?.['final_pipeline']) }
}

function unlessNone(id: string | undefined): string | undefined {
  return id === '_none' ? undefined : id
}

function concerns({ pipeline, index }: WriteOperation, batch: Batch): boolean {
  const { first, last } = batch.standing(index)
  return pipeline !== undefined || first !== undefined || last !== undefined
}

function applyPipelines(operation: WriteOperation, batch: Batch): Ingested {
  // Of a thousand documents none is copied only to take nothing away.
  if (!concerns(operation, batch)) return { operation, ran: false }
  const standing = batch.standing(operation.index)
  const { pipeline, ...rest } = operation
  if (operation.action === 'delete') return { operation: rest, ran: false }
  const first = pipeline === undefined ? standing.first : unlessNone(pipeline)
  if (first === undefined && standing.last === undefined) return { operation: rest, ran: false }
  if (operation.action === 'update') return ingestUpsert(rest, { first, last: standing.last }, batch)
  const document = documentOf(rest, parseSource(rest.source ?? Buffer.from('{}')), batch)
  if (runAll(document, { first, last: standing.last }, rest.index, batch) === 'drop') return 'dropped'
  return { operation: withResult(rest, document), ran: true }
}

/** An update that may insert: the document to insert passes the pipelines, as in Elasticsearch's bulk. */
function ingestUpsert(operation: WriteOperation, standing: Standing, batch: Batch): Ingested {
  const { update } = operation
  if (!update) return { operation, ran: false }
  const inserted = insertedBy(operation, update, batch)
  if (inserted === undefined) return { operation, ran: false }
  const document = documentOf(operation, inserted, batch)
  if (runAll(document, standing, operation.index, batch) === 'drop') return 'dropped'
  const source = document.source()
  const scripted = { ...update, upsert: source, scriptedUpsert: false }
  const changed = update.docAsUpsert && !update.upsert ? { ...update, doc: source } : scripted
  return { operation: { ...operation, update: changed }, ran: true }
}

/** A copy of what an update would insert; with `scripted_upsert` the script has made it, so that pipelines come after it. */
function insertedBy(
  operation: WriteOperation,
  update: NonNullable<WriteOperation['update']>,
  { nowMs }: Batch,
): Record<string, unknown> | undefined {
  const given = update.upsert ?? (update.docAsUpsert ? update.doc : undefined)
  if (!update.scriptedUpsert || !update.script) return given && structuredClone(given)
  const identity = { _index: operation.index, _id: operation.id ?? '', _version: -1, _now: nowMs }
  const ctx = { op: 'create', _source: structuredClone({ ...given }), ...identity }
  update.script(ctx)
  return ctx.op === 'create' || ctx.op === 'index' ? ctx._source : undefined
}

function documentOf(operation: WriteOperation, source: Record<string, unknown>, { nowMs }: Batch): IngestDocument {
  const metadata = {
    _index: operation.index,
    _id: operation.id,
    _routing: operation.routing,
    _version: operation.version ?? -3,
    _version_type: operation.versionType ?? 'internal',
    _if_seq_no: operation.ifSeqNo,
    _if_primary_term: operation.ifPrimaryTerm,
  }
  return new IngestDocument(source, metadata, new Date(nowMs).toISOString())
}

function runAll(document: IngestDocument, { first, last }: Standing, index: string, batch: Batch): 'drop' | 'keep' {
  const run: PipelineRun = { find: batch.find, inside: [], nowMs: batch.nowMs, principal: batch.principal }
  const visited = [index]
  let [next, final] = [first, last]
  while (next !== undefined) {
    const outcome = runNamed(next, document, run, batch)
    if (outcome === 'drop') return 'drop'
    const target = targetOf(document)
    if (target === visited.at(-1)) break
    if (visited.includes(target)) throw cycle(next, document, [...visited, target])
    visited.push(target)
    // Another index has another final pipeline; its default is run only where the document was rerouted.
    const standing = batch.standing(target)
    next = outcome === 'reroute' ? standing.first : undefined
    final = standing.last
  }
  if (final === undefined) return 'keep'
  const target = targetOf(document)
  if (runNamed(final, document, run, batch) === 'drop') return 'drop'
  if (targetOf(document) === target) return 'keep'
  throw unfit(
    `final pipeline [${final}] can't change the target index (from [${target}] to [${targetOf(document)}]) for document [${shownId(document)}]`,
  )
}

function targetOf(document: IngestDocument): string {
  return String(document.ctx['_index'])
}

function shownId(document: IngestDocument): string {
  return String(document.ctx['_id'] ?? null)
}

function cycle(pipeline: string, document: IngestDocument, way: readonly string[]): AppError {
  return new AppError(
    searchErrors.illegal_state_exception,
    `index cycle detected while processing pipeline [${pipeline}] for document [${shownId(document)}]: [${way.join(', ')}]`,
  )
}

function runNamed(id: string, document: IngestDocument, run: PipelineRun, batch: Batch): Outcome {
  const pipeline = batch.find(id)
  if (!pipeline) throw unfit(`pipeline with id [${id}] does not exist`)
  const counter = pipelinesOf(batch.catalogue).counter(id)
  const started = performance.now()
  counter.count++
  try {
    return runPipeline(pipeline, document, run)
  } catch (thrown) {
    counter.failed++
    throw thrown
  } finally {
    counter.timeMs += performance.now() - started
  }
}

function withResult(operation: WriteOperation, document: IngestDocument): WriteOperation {
  const { index, source, id, routing, version, versionType, ifSeqNo, ifPrimaryTerm, ...rest } = operation
  const { _index, _id, _routing, _version, _version_type, _if_seq_no, _if_primary_term } = document.metadata()
  return {
    index: String(_index),
    source: writeSource(document.source()),
    ...rest,
    ...(_id === undefined || _id === null ? {} : { id: String(_id) }),
    ...(_routing === undefined || _routing === null ? {} : { routing: String(_routing) }),
    ...versionOf(_version, _version_type, version !== undefined),
    ...(_if_seq_no === undefined ? {} : { ifSeqNo: Number(_if_seq_no) }),
    ...(_if_primary_term === undefined ? {} : { ifPrimaryTerm: Number(_if_primary_term) }),
  }
}

/** What a pipeline left of `_version` and `_version_type`; -3 is any version. `given`: whether the request itself named one. */
function versionOf(
  version: unknown,
  type: unknown,
  given: boolean,
): Pick<WriteOperation, 'version' | 'versionType' | 'expectedVersion'> {
  const isSet = given || version !== -3
  if (type === 'external' || type === 'external_gte')
    return { versionType: type, ...(isSet ? { version: Number(version) } : {}) }
  if (type !== undefined && type !== null && type !== 'internal') throw unfit(`No version type match [${String(type)}]`)
  if (!isSet) return {}
  return given ? { version: Number(version) } : { expectedVersion: Number(version) }
}
