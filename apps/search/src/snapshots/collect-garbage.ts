import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { activityOf } from './activity.ts'
import type { SnapshotServices } from './create-snapshot.ts'
import { formats, type SnapshotRecord } from './format.ts'
import { filesOf, requireRepository, requireWritable } from './repositories.ts'
import type { RepositoryFiles } from './repository-files.ts'

/** What a clean-up removed. */
export interface Removed {
  readonly files: number
  readonly bytes: number
}

/** The blobs that snapshots use. Throws when a manifest cannot be read, because then nothing says what it uses. */
async function blobsOf(files: RepositoryFiles, records: readonly SnapshotRecord[]): Promise<Set<string>> {
  const used = new Set<string>()
  for (const { indices, globalState } of records) {
    if (globalState !== undefined) used.add(globalState)
    for (const { manifest } of indices) {
      if (used.has(manifest)) continue
      used.add(manifest)
      const { pieces } = await files.json(manifest, formats.manifest)
      for (const piece of pieces) for (const { sha256 } of piece.files) used.add(sha256)
    }
  }
  return used
}

/** Removes every blob that no snapshot uses. Nothing is removed while a record or a manifest is damaged. Only one at a time for a folder. */
async function sweep(name: string, files: RepositoryFiles): Promise<Removed> {
  const { records, damaged } = await files.records()
  if (damaged.length > 0)
    throw new AppError(
      searchErrors.repository_exception,
      `[${name}] the records [${damaged.join(', ')}] are damaged; files are kept, as nothing says which of them they use`,
    )
  const used = await blobsOf(files, records)
  const unused = (await files.blobs()).filter(({ sha256 }) => !used.has(sha256))
  await files.remove(unused.map(({ sha256 }) => sha256))
  const unfinished = await files.removeUnfinished()
  return {
    files: unused.length + unfinished.files,
    bytes: unused.reduce((sum, { bytes }) => sum + bytes, unfinished.bytes),
  }
}

/** Removes what no snapshot of a repository uses, such as what a snapshot left that was cut off. */
export async function cleanUp(services: SnapshotServices, name: string): Promise<Removed> {
  requireWritable(name, requireRepository(services, name))
  const files = await filesOf(services, name)
  const activity = activityOf(services)
  return activity.exclusive(files.place, () => {
    activity.refuseWhileRestoring(files.place, `[${name}]`)
    return sweep(name, files)
  })
}

/** The error of a snapshot nothing is called by. */
export function snapshotMissing(repository: string, snapshot: string): AppError {
  return new AppError(searchErrors.snapshot_missing_exception, `[${repository}:${snapshot}] is missing`)
}

/** Deletes snapshots by names and patterns, and the files that no other uses; those that are being made are ended. Throws `snapshot_missing_exception`. */
export async function deleteSnapshots(
  services: SnapshotServices,
  name: string,
  patterns: readonly string[],
): Promise<void> {
  requireWritable(name, requireRepository(services, name))
  const files = await filesOf(services, name)
  const activity = activityOf(services)
  const fits = (snapshot: string): boolean => patterns.some((pattern) => fitsStars(snapshot, pattern))
  const stopped = activity.running(name).filter(({ snapshot }) => fits(snapshot))
  const reason = new AppError(searchErrors.snapshot_exception, `[${name}] the snapshot was deleted while it was made`)
  for (const { abort } of stopped) abort.abort(reason)
  await Promise.all(stopped.map(({ ended }) => ended))
  await activity.exclusive(files.place, async () => {
    activity.refuseWhileRestoring(files.place, `[${name}:${patterns.join(',')}]`)
    const { records } = await files.records()
    const found = records.filter(({ snapshot }) => fits(snapshot))
    const gone = [...stopped, ...activity.failed(name)].map(({ snapshot }) => snapshot).filter(fits)
    for (const snapshot of gone) activity.forgetFailed(name, snapshot)
    const there = new Set([...found.map(({ snapshot }) => snapshot), ...gone])
    const missing = patterns.find((pattern) => !pattern.includes('*') && !there.has(pattern))
    if (missing !== undefined) throw snapshotMissing(name, missing)
    for (const { uuid } of found) await files.removeRecord(uuid)
    if (there.size > 0) await sweep(name, files)
  })
}
