import { readdir } from 'node:fs/promises'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import { ident, num, sql } from '../sql/sql.ts'
import type { CommitLog, CommitRecord } from './commit-log.ts'
import { isTableGone } from './purge.ts'
import { insertOf, isIntact, removeSegment, type SegmentRecord } from './segment.ts'

/** What recovery works with. */
export interface RecoveryContext {
  readonly engine: Engine
  readonly log: CommitLog
  /** The directory of segment files. */
  readonly directory: string
  readonly logger: Logger
}

/**
 * Carries out, exactly once, every commit that was promised and not finished. Returns the records whose dead rows still have to be hidden and
 * deleted. The tables must have all columns of the catalogue.
 */
export async function recover(context: RecoveryContext): Promise<CommitRecord[]> {
  const { log, directory, logger } = context
  const records = log.records()
  for (const record of records) {
    for (const segment of record.segments) await recoverSegment(segment, context)
    log.inserted(record)
  }
  await log.flush()
  for (const file of await readdir(directory)) await removeSegment(directory, file)
  if (records.length > 0) logger.info({ commits: records.length }, 'unfinished commits were carried out')
  return records.filter((record) => record.dead.length > 0).map((record) => ({ ...record, segments: [] }))
}

async function recoverSegment(segment: SegmentRecord, context: RecoveryContext): Promise<void> {
  const { engine, directory, logger } = context
  try {
    const there = await sequencesOf(segment, engine)
    if (there.length === segment.rows) return
    if (!(await isIntact(directory, segment))) {
      // The record is written after the file is flushed, and a write is answered after the insert: nothing that was acknowledged is lost here.
      logger.error({ file: segment.file, rows: segment.rows }, 'a segment is torn; its writes were never acknowledged')
      return
    }
    if (there.length > 0) await engine.deleteRows(segment.table, segment.partition, there)
    await engine.insertSegment(insertOf(segment, directory))
  } catch (thrown) {
    if (!isTableGone(thrown)) throw thrown
  }
}

/** Which rows of a segment are in the engine: all or none, unless an engine inserts in pieces. */
async function sequencesOf(segment: SegmentRecord, engine: Engine): Promise<number[]> {
  const range = sql`_seq BETWEEN ${num(segment.firstSeq)} AND ${num(segment.lastSeq)}`
  const rows = await engine.rows(
    sql`SELECT _seq FROM ${ident(segment.table)} WHERE _slot = ${num(segment.partition)} AND ${range}`,
  )
  return rows.map(([sequence]) => Number(sequence))
}
