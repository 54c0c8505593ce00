import { randomBytes } from 'node:crypto'
import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { activityOf } from './activity.ts'
import { refuseTakenName, type SnapshotServices } from './create-snapshot.ts'
import { filesOf, requireRepository, requireWritable } from './repositories.ts'
import { findRecord } from './restore-snapshot.ts'

/** Makes a snapshot of some indices of another one. No file is written but its record. */
export async function cloneSnapshot(
  services: SnapshotServices,
  name: string,
  source: string,
  target: string,
  indices: readonly string[],
): Promise<void> {
  requireWritable(name, requireRepository(services, name))
  const files = await filesOf(services, name)
  await activityOf(services).exclusive(files.place, async () => {
    const record = await findRecord(files, name, source)
    refuseTakenName(services, name, target, (await files.records()).records)
    const fits = (index: string): boolean =>
      indices.some((pattern) => fitsStars(index, pattern === '_all' ? '*' : pattern))
    const chosen = record.indices.filter((index) => fits(index.name))
    const missing = indices.find((one) => !one.includes('*') && one !== '_all' && !chosen.some((it) => it.name === one))
    if (missing !== undefined)
      throw new AppError(searchErrors.index_not_found_exception, `no such index [${missing}]`, {
        detail: { index: missing, index_uuid: '_na_' },
      })
    const startMs = services.now()
    const { globalState: _state, metadata, ...rest } = record
    // What a policy made of another is not the policy's, so that retention leaves it alone.
    const { policy: _policy, ...kept } = metadata ?? {}
    await files.putRecord({
      ...rest,
      ...(metadata === undefined ? {} : { metadata: kept }),
      snapshot: target,
      uuid: randomBytes(16).toString('base64url'),
      startMs,
      endMs: startMs,
      includeGlobalState: false,
      indices: chosen.map((index) => ({ ...index, newFiles: 0, newBytes: 0 })),
      dataStreams: record.dataStreams.filter((stream) => stream.indices.every(fits)),
      failures: record.failures.filter(({ index }) => fits(index)),
    })
  })
}
