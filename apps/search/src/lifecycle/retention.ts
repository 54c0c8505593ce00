import { clusterSettings } from '../cluster-settings/read.ts'
import { watermarksOf } from '../cluster-settings/watermarks.ts'
import { visibleSql } from '../documents/visibility.ts'
import { matchesPattern } from '../indices/index-names.ts'
import { hasRoom } from '../indices/purge-rows.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { Services } from '../services.ts'
import { ident, num, sql, str } from '../sql/sql.ts'
import { eventIndices } from './event-indices.ts'
import { deletesByPolicy } from './ilm/policies.ts'
import { planRetention, type RetentionPlan } from './retention-plan.ts'
import { ageFor, ageMs, diskShare, retentionPolicy } from './retention-policy.ts'

/** What retention works with. */
export type RetentionContext = Pick<Services, 'engine' | 'catalogue' | 'documents' | 'store' | 'now' | 'logger'>

/** The space data have and take, in bytes. */
export interface DataSpace {
  readonly totalBytes: number
  readonly freeBytes: number
  /** What the events take, without what is being removed. */
  readonly dataBytes: number
  /** The most they may take, by the policy's share of data and free space. */
  readonly budgetBytes: number
  /** How much too much there is; 0 when all is well. */
  readonly excessBytes: number
}

/** What a run or a purge took away, or would take. */
export interface RetentionReport {
  readonly indices: readonly {
    readonly index: string
    readonly documents: number
    readonly bytes: number
    readonly reason: string
  }[]
  /** Events of indices that stay. */
  readonly events: readonly {
    readonly index: string
    readonly documents: number
    readonly before: string
    readonly reason: string
  }[]
}

/** Freed beyond what must be, so that not every minute takes away a little. */
const spareShare = 0.03
/** How long the space of what was deleted may take to come back. */
const settleMs = 60_000
const freedKey = 'space_freed'

/** Looks how much space data take and may take. */
export async function dataSpace({ engine, store }: Pick<RetentionContext, 'engine' | 'store'>): Promise<DataSpace> {
  const [disk] = await engine.rows(sql`SELECT total_space, unreserved_space FROM system.disks WHERE name = 'default'`)
  const [parts] = await engine.rows(
    sql`SELECT sumIf(bytes_on_disk, active), sumIf(bytes_on_disk, NOT active) FROM system.parts
      WHERE database = currentDatabase()`,
  )
  const [totalBytes, freeBytes] = [Number(disk?.[0] ?? 0), Number(disk?.[1] ?? 0)]
  const [dataBytes, replacedBytes] = [Number(parts?.[0] ?? 0), Number(parts?.[1] ?? 0)]
  // What merges have replaced is freed in a minute: no event must go for it.
  const roomBytes = freeBytes + replacedBytes
  const budgetBytes = Math.floor(diskShare(retentionPolicy(store).max_disk_share) * (dataBytes + roomBytes))
  const { low } = watermarksOf(totalBytes, clusterSettings(store))
  const missingBytes = low - roomBytes
  const spare = Math.floor(spareShare * budgetBytes)
  const tooMuch = Math.max(dataBytes - budgetBytes, missingBytes)
  const excessBytes = tooMuch > 0 ? Math.min(dataBytes, Math.ceil(tooMuch + spare)) : 0
  return { totalBytes, freeBytes, dataBytes, budgetBytes, excessBytes }
}

/** The age at which the events of an index go: the stack's, unless its stream or its policy has one of its own. */
function ageOf(
  index: IndexMeta,
  { catalogue, store }: Pick<RetentionContext, 'catalogue' | 'store'>,
): number | undefined {
  if (deletesByPolicy(index, store)) return undefined
  const lifecycle = index.dataStream === undefined ? undefined : catalogue.dataStream(index.dataStream)?.lifecycle
  if (lifecycle?.enabled === true && lifecycle.data_retention !== undefined) return undefined
  return ageFor(retentionPolicy(store), index.dataStream ?? index.name)
}

/** Runs retention once: what is too old, when `byAge`, and the oldest of what is too much for the disk. */
export async function runRetention(
  context: RetentionContext,
  { byAge }: { readonly byAge: boolean },
): Promise<RetentionReport> {
  const left = await context.catalogue.purge()
  const { excessBytes } = await dataSpace(context)
  // What was deleted takes its space for a while: it must not be freed twice.
  const clock = context.store.collection<number>('lifecycle_clock')
  const sinceMs = context.now() - (clock.get(freedKey) ?? Number.NEGATIVE_INFINITY)
  const excess = left > 0 || (sinceMs >= 0 && sinceMs < settleMs) ? 0 : excessBytes
  if (excess > 0) await context.store.transaction(() => clock.put(freedKey, context.now()))
  if (!byAge && excess === 0) return { indices: [], events: [] }
  const indices = await eventIndices(context, (index) => (byAge ? ageOf(index, context) : undefined))
  const keepMs = ageMs('keep_at_least', retentionPolicy(context.store).keep_at_least) ?? 0
  return carryOut(planRetention({ indices, nowMs: context.now(), keepMs, excessBytes: excess }), context)
}

/** Takes away every event older than `olderThanMs`, of indices and streams that match `pattern`; with `dryRun` only says what would go. */
export async function purgeOlderThan(
  context: RetentionContext,
  {
    olderThanMs,
    pattern,
    dryRun,
  }: { readonly olderThanMs: number; readonly pattern: string; readonly dryRun: boolean },
): Promise<RetentionReport> {
  const all = await eventIndices(context, () => olderThanMs)
  const indices = all.filter(({ name }) => {
    const stream = context.catalogue.index(name)?.dataStream
    return matchesPattern(pattern, name) || (stream !== undefined && matchesPattern(pattern, stream))
  })
  const plan = planRetention({ indices, nowMs: context.now(), keepMs: 0, excessBytes: 0, exact: true })
  return dryRun ? reportOf(plan, context) : carryOut(plan, context)
}

async function reportOf(plan: RetentionPlan, context: RetentionContext): Promise<RetentionReport> {
  const indices = plan.deletions.map(({ name, documents, bytes, reason }) => ({
    index: name,
    documents,
    bytes,
    reason,
  }))
  const events: RetentionReport['events'][number][] = []
  for (const { index, beforeMs, reason } of plan.expiries) {
    const documents = await countBefore(index.id, beforeMs, context)
    if (documents > 0) events.push({ index: index.name, documents, before: new Date(beforeMs).toISOString(), reason })
  }
  return { indices, events }
}

async function countBefore(
  id: number,
  beforeMs: number,
  { catalogue, documents, engine }: RetentionContext,
): Promise<number> {
  const index = catalogue.indexById(id)
  if (index === undefined) return 0
  const table = catalogue.table(index.table)
  await documents.shown([table.id])
  const [row] = await engine.rows(
    sql`SELECT count() FROM ${ident(table.name)} WHERE _index = ${num(id)} AND _time < ${num(Math.floor(beforeMs))}
      AND ${visibleSql(documents.visibility(table.id))}`,
    { weight: 'heavy' },
  )
  return Number(row?.[0] ?? 0)
}

async function carryOut(plan: RetentionPlan, context: RetentionContext): Promise<RetentionReport> {
  const { catalogue, logger } = context
  const report = await reportOf(plan, context)
  for (const { id } of plan.deletions) {
    const index = catalogue.indexById(id)
    if (index !== undefined) await catalogue.deleteIndex(index)
  }
  if (plan.deletions.length > 0) await catalogue.purge()
  const kept = new Set<string>()
  for (const { index, beforeMs } of plan.expiries) {
    const meta = catalogue.indexById(index.id)
    if (meta !== undefined && !(await expire(meta, beforeMs, context))) kept.add(index.name)
  }
  const events = report.events.filter(({ index }) => !kept.has(index))
  for (const gone of report.indices) logger.info(gone, 'retention deleted an index')
  for (const gone of events) logger.info(gone, 'retention deleted events of an index')
  return { ...report, events }
}

/** Deletes the events of an index before a time; false, with nothing done, where its parts find no room to be rewritten without them. */
async function expire(
  { name, id, table: tableId, slot }: IndexMeta,
  beforeMs: number,
  { catalogue, documents, engine, logger }: RetentionContext,
): Promise<boolean> {
  const table = catalogue.table(tableId).name
  if (!(await hasRoom({ table, slot }, engine))) {
    logger.warn({ index: name }, 'there is no room to rewrite an index without its old events: they stay for now')
    return false
  }
  const condition = sql`_index = ${num(id)} AND _time < ${num(Math.floor(beforeMs))}`
  try {
    await engine.execute(sql`ALTER TABLE ${ident(table)} DELETE IN PARTITION ${str(String(slot))} WHERE ${condition}`, {
      slow: true,
    })
  } finally {
    documents.expired(tableId)
  }
  return true
}
