import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { RestoredIndexRequest } from '../indices/catalogue.ts'
import type { AliasMeta, IndexMeta } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import { activityOf } from './activity.ts'
import { snapshotMissing } from './collect-garbage.ts'
import type { SnapshotServices } from './create-snapshot.ts'
import { formats, type Manifest, type SnapshotRecord } from './format.ts'
import { restoreGlobalState } from './global-state.ts'
import { importIndex } from './import-index.ts'
import { filesOf } from './repositories.ts'
import type { RepositoryFiles } from './repository-files.ts'
import { planRestore, type RestoredName, type RestorePlan, type RestoreRequest } from './restore-plan.ts'
import { restoredSettings } from './restore-settings.ts'

/** What a restore brought. */
export interface RestoreResult {
  readonly snapshot: string
  readonly indices: readonly string[]
  readonly shards: number
}

interface Prepared {
  readonly to: RestoredName
  readonly manifest: Manifest
  readonly index: IndexMeta
}

/** The complete snapshot of that name. Throws `snapshot_missing_exception`. */
export async function findRecord(files: RepositoryFiles, repository: string, name: string): Promise<SnapshotRecord> {
  const { records } = await files.records()
  const found = records.find(({ snapshot }) => snapshot === name)
  if (found === undefined) throw snapshotMissing(repository, name)
  return found
}

function requestFor(to: RestoredName, manifest: Manifest, request: RestoreRequest): RestoredIndexRequest {
  const aliases = request.includeAliases ? (manifest.aliases as Record<string, AliasMeta>) : {}
  return {
    name: to.name,
    settings: restoredSettings(manifest.settings, request),
    mappings: manifest.mapping as Mapping,
    aliases,
    createdAtMs: manifest.createdAtMs,
    fromTemplates: false,
    ...(to.dataStream === undefined ? {} : { dataStream: to.dataStream }),
  }
}

/**
 * Begins a restore: checks what can be checked at once, and gives back what resolves when all is restored. All of it is seen at one moment, or
 * nothing. Throws, or rejects, with `snapshot_restore_exception` and the errors of names and repositories.
 */
export async function beginRestore(
  services: SnapshotServices,
  request: RestoreRequest,
): Promise<{ readonly plan: RestorePlan; readonly complete: Promise<RestoreResult> }> {
  const { catalogue } = services
  const files = await filesOf(services, request.repository)
  const endOfRestore = activityOf(services).restoring(files.place)
  try {
    const record = await findRecord(files, request.repository, request.snapshot)
    const plan = planRestore(record, request)
    const manifests = await Promise.all(plan.indices.map(({ from }) => files.json(from.manifest, formats.manifest)))
    const requests = plan.indices.map((to, at) => requestFor(to, manifests[at] as Manifest, request))
    const indices = await catalogue.prepareRestored(requests)
    const giveRowsFree = catalogue.keepRows(indices.map(({ table }) => table))
    const prepared = plan.indices.map(
      (to, at): Prepared => ({ to, manifest: manifests[at] as Manifest, index: indices[at] as IndexMeta }),
    )
    const complete = bringBack(services, request, record, plan, files, prepared).finally(() => {
      catalogue.forgetRestored(indices)
      giveRowsFree()
      endOfRestore()
    })
    return { plan, complete }
  } catch (thrown) {
    endOfRestore()
    throw thrown
  }
}

async function bringBack(
  services: SnapshotServices,
  request: RestoreRequest,
  record: SnapshotRecord,
  plan: RestorePlan,
  files: RepositoryFiles,
  prepared: readonly Prepared[],
): Promise<RestoreResult> {
  const startMs = services.now()
  try {
    // Read before anything is written: a damaged state shall not be found at the end.
    const state =
      request.includeGlobalState && record.globalState !== undefined
        ? await files.json(record.globalState, formats.globalState)
        : undefined
    for (const { index, manifest } of prepared) await importIndex(services, files, index, manifest)
    await services.catalogue.addRestored(
      prepared.map(({ index }) => index),
      plan.dataStreams,
    )
    if (state !== undefined) await restoreGlobalState(services.store, state)
  } catch (thrown) {
    services.logger.error({ err: thrown, snapshot: request.snapshot }, 'a restore failed; nothing of it is seen')
    if (!isAppError(thrown) || thrown.code !== 'repository_exception') throw thrown
    throw new AppError(
      searchErrors.snapshot_restore_exception,
      `[${request.repository}:${record.snapshot}/${record.uuid}] failed to restore: ${thrown.message}`,
      { cause: thrown },
    )
  }
  const { restored } = activityOf(services)
  for (const { index, to } of prepared) {
    const { repository } = request
    const { files: count, bytes, name } = to.from
    const of = { repository, snapshot: record.snapshot, snapshotUuid: record.uuid, index: name }
    restored.set(index.id, { ...of, files: count, bytes, startMs, stopMs: services.now() })
  }
  return {
    snapshot: record.snapshot,
    indices: prepared.map(({ index }) => index.name),
    shards: plan.indices.reduce((sum, { from }) => sum + from.shards, 0),
  }
}
