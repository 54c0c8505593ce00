import { setImmediate } from 'node:timers/promises'
import { type AppError, isAppError } from '@logstack/errors'
import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import { isThreadHeld, othersTurn } from '../painless/thread-rounds.ts'
import { sourceOf } from '../sql/document-source.ts'
import type { IdSource } from './automatic-id.ts'
import type { BufferPool } from './buffer-pool.ts'
import { ByDocument } from './by-document.ts'
import { findDocuments } from './current-documents.ts'
import { Draft } from './draft.ts'
import type { LongTexts } from './long-texts.ts'
import type { NeedleColumns } from './needle-columns.ts'
import { isTableGone } from './purge.ts'
import { type SegmentDraft, type SegmentRecord, writeSegments } from './segment.ts'
import type { SegmentFiles } from './segment-files.ts'
import type { VisibleRows } from './visibility.ts'
import type { DocumentState } from './write-decision.ts'
import type { LiveDocument, WriteOperation } from './write-operation.ts'
import { makesIndex, WriteTargets } from './write-targets.ts'

/** What preparing a batch works with. */
export interface PrepareContext {
  readonly engine: Engine
  readonly catalogue: Catalogue
  readonly visible: VisibleRows
  readonly longTexts: LongTexts
  readonly needles: NeedleColumns
  /** Memory for the columns of drafts, which whoever writes the segments gives back. */
  readonly pool: BufferPool
  /** States of documents that the engine does not show yet, or no more: of the batch being inserted, and of deleted ones. */
  knownState(index: number, id: string): DocumentState
  /** Whether no document of an index can have this id; the batch then gives it to one. */
  isNew(index: number, id: string): boolean
  nextSeq(): number
  nextSeqNo(index: number): number
  readonly ids: IdSource
  /** Whether documents of an index wait to be inserted that were written without an id: only the engine will know them. */
  holdsUnnamed(index: number): boolean
  /** Resolves when what was written to these tables is in the engine. Throws where it takes nothing. */
  settled(tables: ReadonlySet<number>): Promise<void>
  readonly now: () => number
}

/** A batch that only has to be written down: results, segments, and a draft with everything else. */
export interface PreparedBatch {
  readonly draft: Draft
  readonly segments: readonly SegmentDraft[]
}

const attemptsMax = 3
/** How long a batch is worked on before others get their turn. */
const draftAtOnceMs = 8
/** Asking the clock costs a tenth of what a small document does. */
const clockOperations = 8
/** Of each source: its length. */
const lengthBytesMax = 5

function sourceBytesOf(operations: readonly WriteOperation[]): number {
  return operations.reduce((sum, { source }) => sum + (source === undefined ? 0 : source.length + lengthBytesMax), 0)
}

/**
 * Works out a batch: looks up targets and current versions, drafts every write, widens mappings and tables. Throws only where the engine or the
 * catalogue fail as a whole.
 */
export async function prepareBatch(
  operations: readonly WriteOperation[],
  context: PrepareContext,
): Promise<PreparedBatch> {
  const { catalogue } = context
  let targets = await findTargets(operations, catalogue)
  for (let attempt = 1; ; attempt += 1) {
    const draft = await draftBatch(operations, targets, context)
    if (attempt < attemptsMax && isAnyGone(targets, catalogue)) {
      targets = await findTargets(operations, catalogue)
      continue
    }
    const refused = await widenMappings(draft, catalogue)
    // Somebody else changed a mapping meanwhile: with the new one the documents may still fit.
    if (refused.size === 0) return { draft, segments: await encodeDraft(draft, context) }
    targets.replace((target) => {
      const error = target instanceof Error ? undefined : refused.get(target.index.id)
      if (error === undefined || target instanceof Error) return target
      const fresh = catalogue.indexById(target.index.id)
      return attempt < attemptsMax && fresh !== undefined ? { ...target, index: fresh } : error
    })
  }
}

/** Writes the segments of a batch, whose draft lets go of its memory then; see `writeSegments`. */
export async function writePrepared(
  { draft, segments }: PreparedBatch,
  directory: string,
  files: SegmentFiles,
): Promise<SegmentRecord[]> {
  try {
    return await writeSegments(directory, segments, files)
  } finally {
    draft.release()
  }
}

/** Whether an index was deleted while the batch was worked out; its table may be gone with it. */
function isAnyGone(targets: WriteTargets, catalogue: Catalogue): boolean {
  for (const target of targets.all())
    if (!(target instanceof Error) && catalogue.indexById(target.index.id) === undefined) return true
  return false
}

async function findTargets(operations: readonly WriteOperation[], catalogue: Catalogue): Promise<WriteTargets> {
  const targets = new WriteTargets()
  for (const operation of operations) {
    if (targets.get(operation) !== undefined) continue
    try {
      const options = { requireAlias: operation.requireAlias === true, create: makesIndex(operation) }
      targets.set(operation, await catalogue.writeTarget(operation.index, options))
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      targets.set(operation, thrown)
    }
  }
  return targets
}

async function draftBatch(
  operations: readonly WriteOperation[],
  targets: WriteTargets,
  context: PrepareContext,
): Promise<Draft> {
  const states = await loadStates(operations, targets, context)
  const draft = new Draft({
    catalogue: context.catalogue,
    targets,
    state: (index, id) => states.get(index, id),
    nextSeq: context.nextSeq(),
    nextSeqNo: context.nextSeqNo,
    nextId: () => context.ids.next(),
    nowMs: context.now(),
    sourceBytes: sourceBytesOf(operations),
    pool: context.pool,
  })
  let restMs = performance.now()
  for (const [at, operation] of operations.entries()) {
    draft.add(operation)
    if (isThreadHeld()) await othersTurn()
    // A script may take long by itself.
    const isLooked = at % clockOperations === 0 || operation.update?.script !== undefined
    if (!isLooked || performance.now() - restMs < draftAtOnceMs) continue
    // Searches are answered by this thread too; what the draft is made of was read before and does not change while others run.
    await setImmediate()
    restMs = performance.now()
  }
  return draft
}

type Wanted = Map<number, Map<number, Set<string>>>

/** The newest states of all documents that operations name by id. */
async function loadStates(
  operations: readonly WriteOperation[],
  targets: WriteTargets,
  context: PrepareContext,
): Promise<ByDocument<DocumentState>> {
  const states = new ByDocument<DocumentState>()
  const plain: Wanted = new Map()
  const withSource: Wanted = new Map()
  const unsettled = new Set<number>()
  for (const operation of operations) {
    const target = targets.get(operation)
    if (operation.id === undefined || target === undefined || target instanceof Error) continue
    const { id: index, table } = target.index
    // What is being inserted must be read here and now: once it is in the engine, it is known here no more.
    const known = context.knownState(index, operation.id)
    if (known !== undefined) {
      states.set(index, operation.id, known)
      continue
    }
    const seen = seenDocument(operation, index, context.visible)
    if (seen !== undefined) {
      states.set(index, operation.id, seen)
      continue
    }
    if (context.ids.made(operation.id)) {
      if (context.holdsUnnamed(index)) unsettled.add(table)
    } else if (context.isNew(index, operation.id)) continue
    want(operation.action === 'update' ? withSource : plain, table, index, operation.id)
  }
  await context.settled(unsettled)
  await findWanted(plain, false, states, context)
  await findWanted(withSource, true, states, context)
  return states
}

/** The document as whoever writes has seen it, where that is still its newest row. */
function seenDocument(
  { id, action, seen }: WriteOperation,
  index: number,
  visible: VisibleRows,
): LiveDocument | undefined {
  // An update needs the source, too; a pipeline may have sent the document elsewhere.
  if (seen === undefined || action === 'update' || seen.index !== index || seen.id !== id) return undefined
  const { seq, seqNo, version, table, slot, routing, expiries } = seen
  if (visible.of(table).expiries !== expiries || !visible.isCurrent(table, seq)) return undefined
  return { state: 'live', seq, seqNo, version, table, slot, routing, source: undefined }
}

function want(wanted: Wanted, table: number, index: number, id: string): void {
  const indices = wanted.get(table) ?? new Map<number, Set<string>>()
  const ids = indices.get(index) ?? new Set<string>()
  wanted.set(table, indices.set(index, ids.add(id)))
}

async function findWanted(
  wanted: Wanted,
  withSource: boolean,
  states: ByDocument<DocumentState>,
  context: PrepareContext,
): Promise<void> {
  for (const [table, ids] of wanted) {
    const meta = context.catalogue.table(table)
    const indices = [...ids.keys()].flatMap((id) => context.catalogue.indexById(id) ?? [])
    const source = withSource ? sourceOf(meta, indices) : undefined
    try {
      const found = await findDocuments(context.engine, meta, context.visible.of(table), ids, source)
      for (const document of found) states.set(document.index, document.id, document)
    } catch (thrown) {
      // Its indices were deleted a moment ago: then there is no document.
      if (!isTableGone(thrown)) throw thrown
    }
  }
}

/** Puts widened mappings into the catalogue; returns what it refused, by index. */
async function widenMappings(draft: Draft, catalogue: Catalogue): Promise<Map<number, AppError>> {
  const refused = new Map<number, AppError>()
  for (const [id, { index, mapping }] of draft.mappings) {
    try {
      await catalogue.mergeMapping(index, mapping)
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.kind === 'unavailable') throw thrown
      refused.set(id, thrown)
    }
  }
  return refused
}

/** One segment for each partition of each table, so that each becomes one part of the engine: all of it or nothing. */
async function encodeDraft(draft: Draft, { catalogue, longTexts, needles }: PrepareContext): Promise<SegmentDraft[]> {
  const segments: SegmentDraft[] = []
  for (const staged of draft.staged) {
    const sequences = staged.sequences()
    const [first, last] = [sequences[0], sequences.at(-1)]
    if (first === undefined || last === undefined) continue
    const before = catalogue.table(staged.table)
    const missing = [
      ...staged.missing(before),
      ...longTexts.note(before, staged.texts()),
      ...needles.note(before, staged.keywords()),
    ]
    const table = missing.length === 0 ? before : await catalogue.ensureColumns(before, missing)
    const { columns, pieces } = staged.encode(table)
    segments.push({
      content: pieces,
      record: {
        tableId: table.id,
        table: table.name,
        partition: staged.slot,
        file: `${first}-${last}-${table.name}.segment`,
        bytes: pieces.reduce((sum, { length }) => sum + length, 0),
        columns,
        format: 'Native',
        rows: sequences.length,
        firstSeq: first,
        lastSeq: last,
        newestMs: staged.newestMs(),
      },
    })
  }
  return segments
}
