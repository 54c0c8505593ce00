import { AppError, searchErrors } from '@logstack/errors'
import { copySource, mergeSource, parseSource, type SourceObject, writeSource } from '../json/source-json.ts'
import type { LiveDocument, ScriptContext, UpdateRequest, WriteOperation } from './write-operation.ts'

/** What is known of a document before a write; a deleted one is remembered for a while, so that its version goes on rising. */
export type DocumentState =
  | LiveDocument
  | { readonly state: 'deleted'; readonly version: number; readonly seqNo: number }
  | undefined

/** What a write means for the store. */
export type Decision =
  | {
      readonly kind: 'write'
      readonly version: number
      readonly created: boolean
      readonly source: Buffer
      /** The source as an object, when it had to be made anyway. */
      readonly parsed: SourceObject | undefined
      readonly routing: string
    }
  | { readonly kind: 'delete'; readonly version: number; readonly found: boolean }
  | { readonly kind: 'noop'; readonly version: number; readonly seqNo: number; readonly source: Buffer | undefined }

/** The term of every document: one process owns the data, so there is never another primary. */
const primaryTerm = 1

/** How long the versions of deleted documents are remembered, as Elasticsearch's `index.gc_deletes` says by default. */
export const tombstoneMs = 60_000

const idBytesMax = 512

function conflict(id: string, why: string): AppError {
  return new AppError(searchErrors.version_conflict_engine_exception, `[${id}]: version conflict, ${why}`)
}

function failedValidation(reason: string): AppError {
  return new AppError(searchErrors.action_request_validation_exception, `Validation Failed: 1: ${reason};`)
}

/** Checks what needs no document: the id's length, and which kinds of versions go together. Throws what the item answers. */
export function checkOperation(operation: WriteOperation): void {
  const { id, action } = operation
  if (id === '') throw new AppError(searchErrors.illegal_argument_exception, 'if _id is specified it must not be empty')
  const bytes = id === undefined ? 0 : Buffer.byteLength(id)
  if (bytes > idBytesMax)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `id [${id}] is too long, must be no longer than ${idBytesMax} bytes but was: ${bytes}`,
    )
  const external = operation.versionType === 'external' || operation.versionType === 'external_gte'
  if (external && action === 'create')
    throw failedValidation('create operations only support internal versioning. use index instead')
  if (external && operation.version === undefined)
    throw failedValidation(`illegal version value [-3] for version type [${operation.versionType?.toUpperCase()}]`)
  if (external && (operation.version ?? 0) < 0)
    throw failedValidation(
      `illegal version value [${operation.version}] for version type [${operation.versionType?.toUpperCase()}]`,
    )
  if (!external && operation.version !== undefined)
    throw failedValidation(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
    )
  if (operation.ifSeqNo !== undefined && external)
    throw failedValidation('compare and write operations can not use external versioning')
  if ((operation.ifSeqNo === undefined) !== (operation.ifPrimaryTerm === undefined))
    throw failedValidation(
      operation.ifSeqNo === undefined
        ? `ifSeqNo is unassigned, but primary term is [${operation.ifPrimaryTerm}]`
        : 'ifSeqNo is set, but primary term is [0]',
    )
}

function checkSequence(operation: WriteOperation, id: string, current: DocumentState): void {
  const { ifSeqNo, ifPrimaryTerm } = operation
  if (ifSeqNo === undefined) return
  const required = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}].`
  if (current?.state !== 'live') throw conflict(id, `${required} but no document was found`)
  if (current.seqNo !== ifSeqNo || ifPrimaryTerm !== primaryTerm)
    throw conflict(id, `${required} current document has seqNo [${current.seqNo}] and primary term [${primaryTerm}]`)
}

/** Refuses a write whose pipeline named another internal version than the document has. */
function checkVersion({ expectedVersion }: WriteOperation, id: string, current: DocumentState): void {
  const version = current?.state === 'live' ? current.version : -1
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(id, `current version [${version}] is different than the one provided [${expectedVersion}]`)
}

function nextVersion(operation: WriteOperation, id: string, current: DocumentState): number {
  const given = operation.version
  const known = current?.version
  if (operation.versionType === 'external' || operation.versionType === 'external_gte') {
    if (given === undefined) throw new Error('BUG: an external version was not checked')
    if (known !== undefined && operation.versionType === 'external' && given <= known)
      throw conflict(id, `current version [${known}] is higher or equal to the one provided [${given}]`)
    if (known !== undefined && given < known)
      throw conflict(id, `current version [${known}] is higher than the one provided [${given}]`)
    return given
  }
  return (known ?? 0) + 1
}

/**
 * What a checked operation means, given the newest state of its document. Throws the item's error: `version_conflict_engine_exception`,
 * `document_missing_exception`, or what a script throws.
 */
export function decide(operation: WriteOperation, id: string, current: DocumentState, nowMs: number): Decision {
  if (operation.action === 'update') return decideUpdate(operation, id, current, nowMs)
  checkSequence(operation, id, current)
  checkVersion(operation, id, current)
  const live = current?.state === 'live' ? current : undefined
  if (operation.action === 'delete')
    return { kind: 'delete', version: nextVersion(operation, id, current), found: live !== undefined }
  if (operation.action === 'create' && live !== undefined)
    throw conflict(id, `document already exists (current version [${live.version}])`)
  if (operation.source === undefined) throw new Error('BUG: a write came without a source')
  return {
    kind: 'write',
    version: nextVersion(operation, id, current),
    created: live === undefined,
    source: operation.source,
    parsed: undefined,
    routing: operation.routing ?? '',
  }
}

function written(operation: WriteOperation, source: SourceObject, current: DocumentState): Decision {
  const live = current?.state === 'live' ? current : undefined
  return {
    kind: 'write',
    version: (current?.version ?? 0) + 1,
    created: live === undefined,
    source: writeSource(source),
    parsed: source,
    routing: operation.routing ?? live?.routing ?? '',
  }
}

function decideUpdate(operation: WriteOperation, id: string, current: DocumentState, nowMs: number): Decision {
  const update = operation.update
  if (update === undefined) throw new Error('BUG: an update came without its body')
  if (current?.state !== 'live') return decideUpsert(operation, update, id, current, nowMs)
  checkSequence(operation, id, current)
  if (current.source === undefined) throw new Error('BUG: an update came without the source of its document')
  const unchanged: Decision = {
    kind: 'noop',
    version: current.version,
    seqNo: current.seqNo,
    source: current.source,
  }
  const source = parseSource(current.source)
  if (update.script === undefined) {
    const { merged, changed } = mergeSource(source, update.doc ?? {})
    return changed || update.detectNoop === false ? written(operation, merged, current) : unchanged
  }
  const context = contextOf(operation, id, 'index', source, current.version, nowMs)
  update.script(context)
  if (context.op === 'index' || context.op === 'create') return written(operation, context._source, current)
  if (context.op === 'delete') return { kind: 'delete', version: current.version + 1, found: true }
  return unchanged
}

function decideUpsert(
  operation: WriteOperation,
  update: UpdateRequest,
  id: string,
  current: DocumentState,
  nowMs: number,
): Decision {
  const given = update.docAsUpsert === true ? update.doc : update.upsert
  if (given === undefined && !(update.scriptedUpsert === true && update.script !== undefined))
    throw new AppError(searchErrors.document_missing_exception, `[${id}]: document missing`)
  checkSequence(operation, id, current)
  if (update.scriptedUpsert !== true || update.script === undefined) return written(operation, { ...given }, current)
  const context = contextOf(operation, id, 'create', copySource(given ?? {}), -1, nowMs)
  update.script(context)
  if (context.op === 'create' || context.op === 'index') return written(operation, context._source, current)
  return { kind: 'noop', version: -1, seqNo: -2, source: undefined }
}

function contextOf(
  operation: WriteOperation,
  id: string,
  op: string,
  source: SourceObject,
  version: number,
  nowMs: number,
): ScriptContext {
  return { op, _source: source, _index: operation.index, _id: id, _version: version, _now: nowMs }
}
