import { randomBytes } from 'node:crypto'
import { AppError, isAppError, messageOf, searchErrors } from '@logstack/errors'
import { evaluateIndexName } from '../indices/index-names.ts'
import type { DataStreamMeta, IndexMeta } from '../model/index-meta.ts'
import type { Services } from '../services.ts'
import { activityOf, type RunningSnapshot } from './activity.ts'
import { cellsOf, exportIndex, type FrozenIndex } from './export-index.ts'
import { formats, type GlobalState, type Manifest, type SnapshotIndex, type SnapshotRecord } from './format.ts'
import { readGlobalState } from './global-state.ts'
import { filesOf, requireRepository, requireWritable } from './repositories.ts'
import type { RepositoryFiles } from './repository-files.ts'
import { snapshotNameFault } from './snapshot-name.ts'

/** What search needs of its services to make and restore snapshots. */
export type SnapshotServices = Omit<Services, 'security'>

/** A snapshot that is asked for; `indices` and data streams are found already. */
export interface SnapshotRequest {
  readonly repository: string
  /** May be date math: `<nightly-{now/d}>`. */
  readonly snapshot: string
  readonly indices: readonly IndexMeta[]
  /** Data streams whose backing indices are all among them. */
  readonly dataStreams: readonly DataStreamMeta[]
  readonly includeGlobalState: boolean
  /** Indices that cannot be read are left out, with a failure. */
  readonly partial: boolean
  readonly metadata?: Readonly<Record<string, unknown>>
}

function invalidName({ repository }: SnapshotRequest, name: string, why: string): AppError {
  return new AppError(
    searchErrors.invalid_snapshot_name_exception,
    `[${repository}:${name}] Invalid snapshot name [${name}], ${why}`,
  )
}

/** Throws when a repository has a snapshot of that name, or one is being made. */
export function refuseTakenName(
  services: SnapshotServices,
  repository: string,
  name: string,
  records: readonly SnapshotRecord[],
): void {
  const running = activityOf(services)
    .running(repository)
    .some(({ snapshot }) => snapshot === name)
  if (!running && !records.some(({ snapshot }) => snapshot === name)) return
  const why = running
    ? 'snapshot with the same name is already in-progress'
    : 'snapshot with the same name already exists'
  throw new AppError(
    searchErrors.snapshot_name_already_in_use_exception,
    `[${repository}:${name}] Invalid snapshot name [${name}], ${why}`,
  )
}

/**
 * Begins a snapshot; what is given back resolves with its record when it is complete. All indices are as they are at one moment, soon after the
 * call, however long the writing takes. Throws, or rejects, with the errors of repositories and `snapshot_exception`; then nothing is listed.
 */
export async function beginSnapshot(
  services: SnapshotServices,
  request: SnapshotRequest,
): Promise<{ readonly running: RunningSnapshot; readonly complete: Promise<SnapshotRecord> }> {
  const { repository: name } = request
  const repository = requireRepository(services, name)
  const snapshot = evaluateIndexName(request.snapshot, services.now())
  const fault = snapshotNameFault(snapshot)
  if (fault !== undefined) throw invalidName(request, snapshot, fault)
  requireWritable(name, repository)
  const files = await filesOf(services, name)
  const { records } = await files.records()
  refuseTakenName(services, name, snapshot, records)
  const most = Number(repository.settings['max_number_of_snapshots'] ?? Number.POSITIVE_INFINITY)
  if (records.length >= most)
    throw invalidName(
      request,
      snapshot,
      `the repository has [${records.length}] snapshots, and no more than [${most}] are allowed`,
    )
  const running: RunningSnapshot = {
    repository: name,
    snapshot,
    uuid: randomBytes(16).toString('base64url'),
    startMs: services.now(),
    includeGlobalState: request.includeGlobalState,
    metadata: request.metadata,
    indices: request.indices.map((index) => index.name),
    dataStreams: request.dataStreams.map((stream) => stream.name),
    shards: request.indices.reduce((sum, index) => sum + shardCount(index), 0),
    doneShards: 0,
    files: 0,
    bytes: 0,
    abort: new AbortController(),
    ended: Promise.resolve(),
  }
  const activity = activityOf(services)
  activity.begin(running)
  const complete = activity
    .exclusive(files.place, () => make(services, request, running, files))
    .then(
      (record) => {
        activity.end(running)
        return record
      },
      (thrown: unknown) => {
        activity.end(running, messageOf(thrown))
        services.logger.error({ err: thrown, repository: name, snapshot }, 'a snapshot failed')
        throw thrown
      },
    )
  running.ended = complete.catch(() => undefined)
  return { running, complete }
}

function shardCount(index: IndexMeta): number {
  return Number(index.settings['number_of_shards'] ?? 1)
}

/** Keeps what is there now, for as long as `work` takes, and hands it over. */
async function frozen<T>(
  services: SnapshotServices,
  request: SnapshotRequest,
  work: (indices: readonly FrozenIndex[], state: GlobalState | undefined) => Promise<T>,
): Promise<T> {
  const { catalogue, documents, store } = services
  const tables = new Set(request.indices.map(({ table }) => table))
  const giveRowsFree = catalogue.keepRows(tables)
  let release = (): void => undefined
  try {
    await documents.written(tables)
    // From here to the end of this turn nothing can change.
    release = documents.hold()
    const indices = request.indices.flatMap(({ id }): FrozenIndex[] => {
      const index = catalogue.indexById(id)
      if (index === undefined) return []
      const nextSeqNo = documents.checkpoint(index) + 1
      const table = catalogue.table(index.table)
      return [{ index, table, visibility: documents.visibility(table.id), nextSeqNo, shards: shardCount(index) }]
    })
    return await work(indices, request.includeGlobalState ? readGlobalState(store) : undefined)
  } finally {
    release()
    giveRowsFree()
  }
}

/** The newest manifest of each index, by its uuid. An index whose manifest cannot be read is written anew, and the log says so. */
async function earlierManifests(
  { logger }: SnapshotServices,
  files: RepositoryFiles,
  indices: readonly FrozenIndex[],
): Promise<Map<string, Manifest>> {
  const { records } = await files.records()
  const newest = new Map(records.flatMap((record) => record.indices.map(({ uuid, manifest }) => [uuid, manifest])))
  const found = new Map<string, Manifest>()
  for (const { index } of indices) {
    const sha256 = newest.get(index.uuid)
    if (sha256 === undefined) continue
    try {
      found.set(index.uuid, await files.json(sha256, formats.manifest))
    } catch (thrown) {
      logger.warn(
        { err: thrown, index: index.name },
        'what an earlier snapshot holds of an index cannot be read: it is written anew',
      )
    }
  }
  return found
}

type Failure = SnapshotRecord['failures'][number]

/** Writes all indices, table by table. */
async function exportAll(
  services: SnapshotServices,
  request: SnapshotRequest,
  running: RunningSnapshot,
  files: RepositoryFiles,
  indices: readonly FrozenIndex[],
): Promise<{ readonly written: SnapshotIndex[]; readonly failures: Failure[] }> {
  const { engine } = services
  const earlier = await earlierManifests(services, files, indices)
  const written: SnapshotIndex[] = []
  const failures: Failure[] = []
  const context = {
    engine,
    files,
    signal: running.abort.signal,
    async wrote({ bytes }: { readonly bytes: number }) {
      running.files += 1
      running.bytes += bytes
    },
  }
  for (const table of new Set(indices.map((one) => one.table.id))) {
    const family = indices.filter((one) => one.table.id === table)
    const cells = await cellsOf(engine, family)
    for (const one of family) {
      try {
        written.push(await exportIndex(one, cells.get(one.index.id) ?? [], earlier.get(one.index.uuid), context))
      } catch (thrown) {
        if (
          !request.partial ||
          running.abort.signal.aborted ||
          (isAppError(thrown) && thrown.code === 'repository_exception')
        )
          throw thrown
        failures.push({ index: one.index.name, reason: messageOf(thrown), shards: one.shards })
      }
      running.doneShards += one.shards
    }
  }
  written.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { written, failures }
}

async function make(
  services: SnapshotServices,
  request: SnapshotRequest,
  running: RunningSnapshot,
  files: RepositoryFiles,
): Promise<SnapshotRecord> {
  await files.prepare()
  return frozen(services, request, async (indices, state) => {
    const { written, failures } = await exportAll(services, request, running, files, indices)
    const global = state === undefined ? undefined : await files.put(Buffer.from(JSON.stringify(state)))
    running.abort.signal.throwIfAborted()
    const there = new Set(written.map(({ name }) => name))
    const record: SnapshotRecord = {
      format: 1,
      snapshot: running.snapshot,
      uuid: running.uuid,
      startMs: running.startMs,
      endMs: services.now(),
      state: failures.length === 0 ? 'SUCCESS' : 'PARTIAL',
      includeGlobalState: request.includeGlobalState,
      ...(request.metadata === undefined ? {} : { metadata: { ...request.metadata } }),
      indices: written,
      dataStreams: request.dataStreams
        .filter((stream) => stream.indices.every((name) => there.has(name)))
        .map((stream) => ({ ...stream, indices: [...stream.indices] })),
      failures,
      ...(global === undefined ? {} : { globalState: global.sha256 }),
    }
    await files.putRecord(record)
    return record
  })
}
