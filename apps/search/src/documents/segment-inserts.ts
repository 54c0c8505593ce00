import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isAppError } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import { ident, num, sql } from '../sql/sql.ts'
import { isTableGone } from './purge.ts'
import { insertOf, isIntact, refusedSuffix, type SegmentRecord } from './segment.ts'

/** What inserting works with. */
export interface InsertContext {
  readonly engine: Engine
  /** The directory of segment files. */
  readonly directory: string
  readonly logger: Logger
}

/** Inserts segments of which the engine holds nothing yet: those for one partition of one table become one part of it. `failure` is what kept them from it before. */
export async function insertTogether(
  segments: readonly SegmentRecord[],
  context: InsertContext,
  failure?: unknown,
): Promise<void> {
  const inserts = [...byPart(segments).values()].map((alike) => insert(alike, context, failure))
  // All come to an end, also when one fails: after that nothing of these segments may still arrive.
  const failed = (await Promise.allSettled(inserts)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/**
 * Inserts what is missing of segments of which some may be in the engine, because an insert failed or the process ended in the middle of one. With
 * `isLast`, what the engine refuses for its content is put aside, so that it stops nothing else. `failure` is what kept them from it before.
 */
export async function insertMissing(
  segments: readonly SegmentRecord[],
  context: InsertContext,
  isLast: boolean,
  failure: unknown,
): Promise<void> {
  const missing: SegmentRecord[] = []
  for (const segment of segments) if (await isMissing(segment, context)) missing.push(segment)
  if (!isLast) return insertTogether(missing, context, failure)
  for (const segment of missing) {
    try {
      await insert([segment], context, failure)
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.code !== 'engine_query_failed') throw thrown
      await putAside(segment, context, thrown)
    }
  }
}

/** Makes the engine hold all of a segment or nothing; answers whether it must be inserted. */
async function isMissing(segment: SegmentRecord, { engine, directory, logger }: InsertContext): Promise<boolean> {
  try {
    const there = await sequencesOf(segment, engine)
    if (there.length === segment.rows) return false
    if (!(await isIntact(directory, segment))) {
      logger.error({ file: segment.file, rows: segment.rows }, 'a segment is torn: the disk lost what it had flushed')
      return false
    }
    if (there.length > 0) await engine.deleteRows(segment.table, segment.partition, there)
    return true
  } catch (thrown) {
    if (!isTableGone(thrown)) throw thrown
    return false
  }
}

async function insert(
  segments: readonly SegmentRecord[],
  { engine, directory }: InsertContext,
  failure: unknown,
): Promise<void> {
  // Where memory was short, without what takes most of it.
  const isIndexedLater = isAppError(failure) && failure.code === 'circuit_breaking_exception'
  try {
    await engine.insertSegment(insertOf(segments, directory, isIndexedLater))
  } catch (thrown) {
    // All indices of the table were deleted a moment ago, and these rows with them.
    if (!isTableGone(thrown)) throw thrown
  }
}

async function putAside(segment: SegmentRecord, { directory, logger }: InsertContext, error: Error): Promise<void> {
  const file = `${segment.file}${refusedSuffix}`
  await rename(join(directory, segment.file), join(directory, file))
  logger.error(
    { error, file, rows: segment.rows },
    'the engine refuses a segment: its rows are kept in a file of their own',
  )
}

/** Segments by where their rows go; those of 0.1 are of another format and go alone. */
function byPart(segments: readonly SegmentRecord[]): Map<string, SegmentRecord[]> {
  const parts = new Map<string, SegmentRecord[]>()
  for (const segment of segments) {
    const key = segment.format === 'Native' ? `${segment.partition} ${segment.table}` : segment.file
    const alike = parts.get(key) ?? []
    parts.set(key, alike)
    alike.push(segment)
  }
  return parts
}

/** Which rows of a segment are in the engine: all or none, unless an engine inserts in pieces. */
async function sequencesOf(segment: SegmentRecord, engine: Engine): Promise<number[]> {
  const range = sql`_seq BETWEEN ${num(segment.firstSeq)} AND ${num(segment.lastSeq)}`
  const rows = await engine.rows(
    sql`SELECT _seq FROM ${ident(segment.table)} WHERE _slot = ${num(segment.partition)} AND ${range}`,
  )
  return rows.map(([sequence]) => Number(sequence))
}
