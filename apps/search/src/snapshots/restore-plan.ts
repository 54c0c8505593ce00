import { AppError, messageOf, searchErrors } from '@logstack/errors'
import { boundedRegExp, fitsStars } from '@logstack/rules'
import type { DataStreamMeta } from '../model/index-meta.ts'
import type { SnapshotIndex, SnapshotRecord } from './format.ts'

/** What a restore asks for. */
export interface RestoreRequest {
  readonly repository: string
  readonly snapshot: string
  /** Names, patterns and exclusions (`-x`); undefined: all but the stack's own state. */
  readonly indices: readonly string[] | undefined
  readonly ignoreUnavailable: boolean
  readonly includeGlobalState: boolean
  readonly includeAliases: boolean
  /** Takes indices of snapshots that are partial, too. */
  readonly partial: boolean
  readonly renamePattern?: string
  readonly renameReplacement?: string
  readonly indexSettings: Readonly<Record<string, unknown>>
  readonly ignoreIndexSettings: readonly string[]
}

/** An index of a snapshot, and what it is called once it is restored. */
export interface RestoredName {
  readonly from: SnapshotIndex
  readonly name: string
  /** The data stream it backs, under its new name. */
  readonly dataStream?: string
}

/** What is restored under which names. */
export interface RestorePlan {
  readonly indices: readonly RestoredName[]
  readonly dataStreams: readonly DataStreamMeta[]
}

/** Kept like Elasticsearch's system indices: a pattern finds them only when it begins with a dot. */
const ownStatePrefix = '.logstack-'

function noSuchIndex(name: string): AppError {
  return new AppError(searchErrors.index_not_found_exception, `no such index [${name}]`, {
    detail: { 'resource.type': 'index_or_alias', 'resource.id': name, index_uuid: '_na_', index: name },
  })
}

function fits(name: string, pattern: string): boolean {
  const all = pattern === '_all' ? '*' : pattern
  return fitsStars(name, all) && (!name.startsWith(ownStatePrefix) || all.startsWith('.'))
}

/** The names that expressions find, each later one adding or taking away. Throws `index_not_found_exception`. */
function chosen(names: readonly string[], { indices, ignoreUnavailable }: RestoreRequest): Set<string> {
  const found = new Set<string>()
  const asked = indices === undefined || indices.length === 0 ? ['*'] : indices
  for (const [at, expression] of asked.entries()) {
    if (expression.startsWith('-') && at > 0) {
      for (const name of [...found]) if (fits(name, expression.slice(1))) found.delete(name)
      continue
    }
    const fitting = names.filter((name) => fits(name, expression))
    const isPattern = expression.includes('*') || expression === '_all'
    if (fitting.length === 0 && !isPattern && !ignoreUnavailable) throw noSuchIndex(expression)
    for (const name of fitting) found.add(name)
  }
  return found
}

/** How names change. Throws `illegal_argument_exception` for a pattern that is none. */
function renaming({ renamePattern, renameReplacement }: RestoreRequest): (name: string) => string {
  if (renamePattern === undefined || renameReplacement === undefined) return (name) => name
  try {
    const pattern = boundedRegExp(renamePattern, 'g')
    return (name) => name.replace(pattern, renameReplacement)
  } catch (thrown) {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Failed to parse [rename_pattern] [${renamePattern}]: ${messageOf(thrown)}`,
    )
  }
}

/** Decides what of a snapshot is restored, and how it is called then. */
export function planRestore(record: SnapshotRecord, request: RestoreRequest): RestorePlan {
  const streams = record.dataStreams as unknown as readonly DataStreamMeta[]
  const backing = new Map(streams.flatMap((stream) => stream.indices.map((index) => [index, stream.name])))
  const found = chosen([...record.indices.map(({ name }) => name), ...streams.map(({ name }) => name)], request)
  const rename = renaming(request)
  const wantedStreams = streams.filter(({ name }) => found.has(name))
  const renamedStreams = new Map(wantedStreams.map(({ name }) => [name, rename(name)]))
  const indices = record.indices.flatMap((from): RestoredName[] => {
    const stream = renamedStreams.get(backing.get(from.name) ?? '')
    // Of a backing index the name of its stream changes, wherever it stands in the index's own.
    const own = backing.get(from.name)
    if (stream !== undefined && own !== undefined)
      return [{ from, name: from.name.replace(own, stream), dataStream: stream }]
    return found.has(from.name) ? [{ from, name: rename(from.name) }] : []
  })
  refuseDoubles(record, request, indices)
  if (!request.partial) refusePartial(record, request, found)
  const dataStreams = wantedStreams.map((stream) => ({
    ...stream,
    name: renamedStreams.get(stream.name) ?? stream.name,
    indices: stream.indices.map((index) => indices.find(({ from }) => from.name === index)?.name ?? index),
  }))
  return { indices, dataStreams }
}

function cannotRestore(record: SnapshotRecord, { repository }: RestoreRequest, reason: string): AppError {
  return new AppError(
    searchErrors.snapshot_restore_exception,
    `[${repository}:${record.snapshot}/${record.uuid}] ${reason}`,
  )
}

function refuseDoubles(record: SnapshotRecord, request: RestoreRequest, indices: readonly RestoredName[]): void {
  const seen = new Map<string, string>()
  for (const { name, from } of indices) {
    const before = seen.get(name)
    if (before !== undefined)
      throw cannotRestore(
        record,
        request,
        `indices [${from.name}] and [${before}] are renamed into the same index [${name}]`,
      )
    seen.set(name, from.name)
  }
}

function refusePartial(record: SnapshotRecord, request: RestoreRequest, found: ReadonlySet<string>): void {
  const missing = record.failures.find(({ index }) => found.has(index))
  if (missing !== undefined)
    throw cannotRestore(record, request, `index [${missing.index}] wasn't fully snapshotted - cannot restore`)
}
