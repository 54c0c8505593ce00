import { clusterSetting } from '../cluster-settings/read.ts'
import type { DataStreamMeta } from '../model/index-meta.ts'
import { readTime } from '../values/unit-values.ts'
import { deletesByPolicy, policyNameOf } from './ilm/policies.ts'
import { dataSpace, type RetentionContext } from './retention.ts'
import { ageFor, retentionPolicy } from './retention-policy.ts'
import { checkConditions, isDue, measure, rolledOverAtMs, streamTarget } from './rollover.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const gibibyte = 1024 ** 3
/** No backing index takes more of the data's share of the disk, so that the oldest can go one by one. */
const shareOfIndex = 1 / 20
const smallestBytes = 64 * 1024 ** 2

/** How old a backing index becomes before the next takes over, by how long its events are kept; Elasticsearch's `auto`. */
function autoAge(retentionMs: number | undefined): string {
  if (retentionMs === undefined || retentionMs > 90 * dayMs) return '30d'
  if (retentionMs <= dayMs) return '1h'
  return retentionMs <= 14 * dayMs ? '1d' : '7d'
}

/** Whether a policy runs a data stream, so that its own lifecycle rests. */
export function isRunByPolicy(stream: DataStreamMeta, { catalogue }: Pick<RetentionContext, 'catalogue'>): boolean {
  const writing = catalogue.index(stream.indices.at(-1) ?? '')
  return (
    writing !== undefined && policyNameOf(writing) !== undefined && writing.settings['lifecycle.prefer_ilm'] !== 'false'
  )
}

/** How long the events of a stream are kept, in milliseconds, and who says so; undefined: for ever. */
export function retentionOf(
  stream: DataStreamMeta,
  { store }: Pick<RetentionContext, 'store'>,
): { readonly ms: number | undefined; readonly by: 'data_stream_configuration' | 'default_global_retention' } {
  const own = stream.lifecycle?.enabled === true ? stream.lifecycle.data_retention : undefined
  if (own !== undefined) return { ms: readTime('data_retention', own), by: 'data_stream_configuration' }
  return { ms: ageFor(retentionPolicy(store), stream.name), by: 'default_global_retention' }
}

function conditionsFor(stream: DataStreamMeta, budgetBytes: number, context: RetentionContext): Record<string, string> {
  const text = clusterSetting(context.catalogue, 'cluster.lifecycle.default.rollover')
  const conditions: Record<string, string> = {}
  for (const pair of text.split(',')) {
    const [name = '', value = ''] = pair.split('=')
    conditions[name.trim()] = value.trim() === 'auto' ? autoAge(retentionOf(stream, context).ms) : value.trim()
  }
  const bytes = Math.max(smallestBytes, Math.floor(Math.min(50 * gibibyte, budgetBytes * shareOfIndex)))
  return { ...conditions, max_size: `${bytes}b` }
}

/**
 * Rolls data streams over that no policy runs, and deletes backing indices that are older than their stream's own retention. What the stack's
 * retention takes away is not its business.
 */
export async function runStreamLifecycles(context: RetentionContext): Promise<void> {
  const { budgetBytes } = await dataSpace(context)
  const startedMs = context.now()
  const before = runs.get(context.catalogue)
  const failing = new Map<string, StreamFailure>()
  for (const stream of [...context.catalogue.dataStreams()]) {
    if (isRunByPolicy(stream, context) || stream.lifecycle?.enabled === false) continue
    try {
      await rollOver(stream, budgetBytes, context)
      await deleteOld(stream, context)
    } catch (thrown) {
      const known = before?.failing.get(stream.name)
      failing.set(stream.name, { sinceMs: known?.sinceMs ?? startedMs, runs: (known?.runs ?? 0) + 1 })
      context.logger.warn({ err: thrown, stream: stream.name }, 'the lifecycle of a data stream cannot go on')
    }
  }
  runs.set(context.catalogue, {
    startedMs,
    lastMs: context.now() - startedMs,
    betweenMs: before?.startedMs === undefined ? undefined : startedMs - before.startedMs,
    failing,
  })
}

/** Since when a lifecycle cannot go on, and in how many runs. */
interface StreamFailure {
  readonly sinceMs: number
  readonly runs: number
}

/** How the last run of all lifecycles went; times in milliseconds, undefined before there was one. */
export interface StreamLifecycleRuns {
  readonly startedMs?: number
  readonly lastMs: number | undefined
  /** From the start of the run before it. */
  readonly betweenMs: number | undefined
  /** Streams whose lifecycle could not go on, by name. */
  readonly failing: ReadonlyMap<string, StreamFailure>
}

const runs = new WeakMap<object, StreamLifecycleRuns>()

/** The last run in one running search, by its catalogue. */
export function streamLifecycleRuns(catalogue: object): StreamLifecycleRuns {
  return runs.get(catalogue) ?? { lastMs: undefined, betweenMs: undefined, failing: new Map() }
}

async function rollOver(stream: DataStreamMeta, budgetBytes: number, context: RetentionContext): Promise<void> {
  const target = streamTarget(stream.name, context)
  if (target === undefined) return
  const conditions = checkConditions(conditionsFor(stream, budgetBytes, context), await measure(target.before, context))
  if (!isDue(conditions)) return
  const made = await target.roll()
  context.logger.info({ stream: stream.name, index: made }, 'a data stream was rolled over')
}

async function deleteOld(stream: DataStreamMeta, context: RetentionContext): Promise<void> {
  const { catalogue, store, now, logger } = context
  const retention = stream.lifecycle?.data_retention
  if (retention === undefined) return
  for (const name of catalogue.dataStream(stream.name)?.indices.slice(0, -1) ?? []) {
    const index = catalogue.index(name)
    const since = index && rolledOverAtMs(index, context)
    if (index === undefined || since === undefined || now() - since < readTime('data_retention', retention)) continue
    if (deletesByPolicy(index, store)) continue
    await catalogue.deleteIndex(index)
    logger.info({ stream: stream.name, index: name, retention }, 'an index was older than its data stream keeps')
  }
}
