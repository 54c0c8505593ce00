import { readdir } from 'node:fs/promises'
import type { CommitLog, CommitRecord } from './commit-log.ts'
import { refusedSuffix, removeSegment } from './segment.ts'
import { type InsertContext, insertMissing } from './segment-inserts.ts'

/** What recovery works with. */
export interface RecoveryContext extends InsertContext {
  readonly log: CommitLog
}

/**
 * Carries out, exactly once, every commit that was promised and not finished. Returns the records whose dead rows still have to be hidden and
 * deleted. The tables must have all columns of the catalogue.
 */
export async function recover(context: RecoveryContext): Promise<CommitRecord[]> {
  const { log, directory, logger } = context
  const records = log.records()
  const segments = records.flatMap((record) => record.segments)
  try {
    await insertMissing(segments, context, false, undefined)
  } catch (thrown) {
    logger.warn({ error: thrown }, 'unfinished commits could not be carried out together; one by one now')
    await insertMissing(segments, context, true, thrown)
  }
  for (const record of records) log.inserted(record)
  await log.flush()
  for (const file of await readdir(directory)) if (!file.endsWith(refusedSuffix)) await removeSegment(directory, file)
  if (records.length > 0) logger.info({ commits: records.length }, 'unfinished commits were carried out')
  return records.filter((record) => record.dead.length > 0).map((record) => ({ ...record, segments: [] }))
}
