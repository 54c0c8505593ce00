import { messageOf } from '@logstack/errors'
import type { SnapshotServices } from './create-snapshot.ts'
import { formats, type Manifest, type SnapshotIndex, type SnapshotRecord } from './format.ts'
import { filesOf } from './repositories.ts'
import type { RepositoryFiles } from './repository-files.ts'

/** Something that is wrong with a repository: where, and what. */
export interface Anomaly {
  readonly snapshot?: SnapshotRecord
  readonly index?: SnapshotIndex
  readonly anomaly: string
}

/** What reading all files of a repository showed. */
export interface Integrity {
  readonly anomalies: readonly Anomaly[]
  readonly snapshots: number
  readonly indexSnapshots: number
  readonly indices: number
  readonly blobs: number
  readonly bytes: number
}

/** Reads every file of a repository that a snapshot uses, once each, and proves it by its checksum. Files that nothing uses are not looked at. */
export async function verifyIntegrity(
  services: SnapshotServices,
  name: string,
  signal: AbortSignal,
): Promise<Integrity> {
  const files = await filesOf(services, name)
  const { records, damaged } = await files.records()
  const anomalies: Anomaly[] = damaged.map((file) => ({ anomaly: `the record [${file}] is damaged` }))
  const checked = new Map<string, string | undefined>()
  let bytes = 0
  /** What is wrong with a blob; undefined for nothing. */
  const faultOf = async (sha256: string): Promise<string | undefined> => {
    signal.throwIfAborted()
    if (!checked.has(sha256)) {
      try {
        bytes += (await files.checked(sha256)).length
        checked.set(sha256, undefined)
      } catch (thrown) {
        checked.set(sha256, messageOf(thrown))
      }
    }
    return checked.get(sha256)
  }
  for (const snapshot of records) {
    const fault = snapshot.globalState === undefined ? undefined : await faultOf(snapshot.globalState)
    if (fault !== undefined) anomalies.push({ snapshot, anomaly: fault })
    for (const index of snapshot.indices)
      for (const anomaly of await faultsOf(files, index, faultOf)) anomalies.push({ snapshot, index, anomaly })
  }
  const indices = records.flatMap((record) => record.indices)
  return {
    anomalies,
    snapshots: records.length,
    indexSnapshots: indices.length,
    indices: new Set(indices.map(({ uuid }) => uuid)).size,
    blobs: checked.size,
    bytes,
  }
}

async function faultsOf(
  files: RepositoryFiles,
  index: SnapshotIndex,
  faultOf: (sha256: string) => Promise<string | undefined>,
): Promise<string[]> {
  const faults: string[] = []
  let manifest: Manifest
  try {
    manifest = await files.json(index.manifest, formats.manifest)
    await faultOf(index.manifest)
  } catch (thrown) {
    return [messageOf(thrown)]
  }
  for (const piece of manifest.pieces) {
    for (const { sha256 } of piece.files) {
      const fault = await faultOf(sha256)
      if (fault !== undefined) faults.push(fault)
    }
  }
  return faults
}
