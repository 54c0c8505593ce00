/** What retention knows of an index that holds events. */
export interface EventIndex {
  readonly id: number
  readonly name: string
  readonly documents: number
  readonly bytes: number
  /** Of its events, in epoch milliseconds; times in the future count as now. */
  readonly oldestMs: number
  readonly newestMs: number
  /** Before it lie a hundredth of its events: a few of 1970 say nothing of the others. Absent: as `oldestMs`. */
  readonly earlyMs?: number
  /** When it was made, or rolled over. Events that were brought in late are not older than this. */
  readonly arrivedMs: number
  /** Writes by the name of a data stream or an alias go to it: it stays, its old events go. */
  readonly isWritten: boolean
  /** The age at which its events go, in milliseconds; undefined: never by age. */
  readonly maxAgeMs: number | undefined
}

/** What to take away: whole indices, and the events of others before a time. */
export interface RetentionPlan {
  readonly deletions: readonly (EventIndex & { readonly reason: 'age' | 'space' })[]
  readonly expiries: readonly {
    readonly index: EventIndex
    readonly beforeMs: number
    readonly reason: 'age' | 'space'
  }[]
}

/** What makes a plan. */
export interface RetentionTask {
  readonly indices: readonly EventIndex[]
  readonly nowMs: number
  /** What is younger is not given up for space, in milliseconds. */
  readonly keepMs: number
  /** Bytes to free beyond what goes by age; 0 when there is space. */
  readonly excessBytes: number
  /** Whether events go at once when they are old enough, however few; else the parts of an index are not rewritten for little. */
  readonly exact?: boolean
}

const dayMs = 86_400_000
const emptyPlan: RetentionPlan = { deletions: [], expiries: [] }
const halvings = 50
/** What is taken for the earliest of an index's events. */
export const earlyShare = 0.01

/** An index has to hold at least this much of time that is over before its parts are rewritten without it. */
function worthMs(maxAgeMs: number): number {
  return Math.max(dayMs, maxAgeMs / 10)
}

/** Whether all of an index goes when events before `beforeMs` do. */
function isOver(index: EventIndex, beforeMs: number): boolean {
  return !index.isWritten && index.newestMs < beforeMs
}

/** The share of an index's events before a time, as though those of the earliest hundredth, and all others, came evenly. */
function shareBefore({ oldestMs, earlyMs = oldestMs, newestMs, documents }: EventIndex, beforeMs: number): number {
  if (documents === 0 || beforeMs <= oldestMs) return 0
  if (beforeMs > newestMs) return 1
  const early = earlyMs > oldestMs ? earlyShare : 0
  if (beforeMs < earlyMs) return (early * (beforeMs - oldestMs)) / (earlyMs - oldestMs)
  return early + ((1 - early) * (beforeMs - earlyMs)) / Math.max(1, newestMs - earlyMs)
}

function byAge(index: EventIndex, { nowMs, exact = false }: RetentionTask): RetentionPlan {
  if (index.maxAgeMs === undefined) return emptyPlan
  const beforeMs = nowMs - index.maxAgeMs
  // What was brought in a short while ago stays, however old its events are: somebody wants to look at it. A purge asks for the events.
  if (!exact && index.arrivedMs >= beforeMs) return emptyPlan
  if (isOver(index, beforeMs)) return { deletions: [{ ...index, reason: 'age' }], expiries: [] }
  const isWorth = index.oldestMs < beforeMs - (exact ? 0 : worthMs(index.maxAgeMs))
  return isWorth && index.documents > 0 ? { deletions: [], expiries: [{ index, beforeMs, reason: 'age' }] } : emptyPlan
}

/** Whether an index spans so much time that waiting until all of it is old would take others away instead. */
function isLasting(index: EventIndex): boolean {
  return index.isWritten || index.newestMs - (index.earlyMs ?? index.oldestMs) > 8 * dayMs
}

function freedBefore(index: EventIndex, beforeMs: number): number {
  if (isOver(index, beforeMs)) return index.bytes
  return isLasting(index) ? index.bytes * shareBefore(index, beforeMs) : 0
}

/** The earliest time before which as much lies as has to be freed, at most `latestMs`. */
function spaceCutoff(indices: readonly EventIndex[], excessBytes: number, latestMs: number): number {
  const freed = (beforeMs: number): number => indices.reduce((sum, index) => sum + freedBefore(index, beforeMs), 0)
  let low = Math.min(latestMs, ...indices.map(({ oldestMs }) => oldestMs))
  let high = latestMs
  if (freed(high) <= excessBytes) return high
  for (let at = 0; at < halvings; at += 1) {
    const middle = (low + high) / 2
    if (freed(middle) >= excessBytes) high = middle
    else low = middle
  }
  return Math.ceil(high)
}

function bySpace(indices: readonly EventIndex[], { nowMs, keepMs, excessBytes }: RetentionTask): RetentionPlan {
  if (excessBytes <= 0) return emptyPlan
  const beforeMs = spaceCutoff(indices, excessBytes, nowMs - keepMs)
  const deletions = indices
    .filter((index) => isOver(index, beforeMs))
    .sort((a, b) => a.newestMs - b.newestMs)
    .map((index) => ({ ...index, reason: 'space' as const }))
  const expiries = indices
    .filter((index) => !isOver(index, beforeMs) && isLasting(index) && shareBefore(index, beforeMs) > 0)
    .map((index) => ({ index, beforeMs, reason: 'space' as const }))
  return { deletions, expiries }
}

/** Works out what goes: by age first, then the oldest of what is left until enough space is free. Nothing is changed. */
export function planRetention(task: RetentionTask): RetentionPlan {
  const aged = task.indices.map((index) => byAge(index, task))
  const deleted = aged.flatMap(({ deletions }) => deletions)
  const expired = aged.flatMap(({ expiries }) => expiries)
  const gone = new Set(deleted.map(({ id }) => id))
  const cutoffs = new Map(expired.map(({ index, beforeMs }) => [index.id, beforeMs]))
  const left = task.indices
    .filter(({ id }) => !gone.has(id))
    .map((index) => {
      const beforeMs = cutoffs.get(index.id)
      if (beforeMs === undefined) return index
      const share = 1 - shareBefore(index, beforeMs)
      const earlyMs = Math.max(index.earlyMs ?? index.oldestMs, beforeMs)
      return { ...index, oldestMs: Math.max(index.oldestMs, beforeMs), earlyMs, bytes: index.bytes * share }
    })
  const all = task.indices.reduce((sum, { bytes }) => sum + bytes, 0)
  const freed = all - left.reduce((sum, { bytes }) => sum + bytes, 0)
  const space = bySpace(left, { ...task, excessBytes: task.excessBytes - freed })
  const spaced = new Set([...space.deletions.map(({ id }) => id), ...space.expiries.map(({ index }) => index.id)])
  return {
    deletions: [...deleted, ...space.deletions],
    expiries: [...expired.filter(({ index }) => !spaced.has(index.id)), ...space.expiries],
  }
}
