import { intervalOf } from '../../../time/interval.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'
import type { BucketSpec, Cell, Column, MetricSpec, Table, TableRequest } from './table.ts'

/** The metrics of a request that lie so many milliseconds before its range. */
export interface ShiftedRequest {
  readonly shiftMs: number
  readonly request: TableRequest
}

/** A request as one for its own range and one for each time shift of its metrics; what is calculated from all of them stays with the first. */
export function splitByShift(
  request: TableRequest,
  range: ResolvedRange,
): { readonly own: TableRequest; readonly shifted: readonly ShiftedRequest[] } {
  const byShift = new Map<number, MetricSpec[]>()
  for (const metric of request.metrics) {
    const shiftMs = shiftOf(metric, request, range)
    byShift.set(shiftMs, [...(byShift.get(shiftMs) ?? []), metric])
  }
  const own = { ...request, metrics: byShift.get(0) ?? [] }
  const { derived: _derived, hidden: _hidden, collapse: _collapse, ...plain } = request
  const shifted = [...byShift]
    .filter(([shiftMs]) => shiftMs !== 0)
    .map(([shiftMs, metrics]) => ({ shiftMs, request: { ...plain, metrics } }))
  return { own, shifted }
}

/** How far one metric is shifted; along time by whole buckets, so that those of both ranges meet. */
function shiftOf({ shift }: MetricSpec, request: TableRequest, { fromMs, toMs }: ResolvedRange): number {
  if (shift === undefined) return 0
  const wanted = shift === 'previous' ? toMs - fromMs : shift
  const widths = request.buckets.flatMap((bucket) =>
    bucket.type === 'date_histogram' ? [intervalOf(bucket.interval, toMs - fromMs).ms] : [],
  )
  const [width = 1] = widths
  return Math.max(width, Math.round(wanted / width) * width)
}

/** The range of a shifted request. */
export function shiftedRange({ fromMs, toMs }: ResolvedRange, shiftMs: number): ResolvedRange {
  return { fromMs: fromMs - shiftMs, toMs: toMs - shiftMs }
}

/** A shifted request that asks for the groups that were found in the range itself, whatever was frequent before. */
export function forGroupsOf({ shiftMs, request }: ShiftedRequest, own: Table): ShiftedRequest {
  const buckets = request.buckets.map((bucket): BucketSpec => {
    if (bucket.type !== 'terms' || bucket.also?.length) return bucket
    const found = new Set(own.rows.map((row) => row[bucket.id]).filter((cell) => typeof cell === 'string'))
    for (const label of [bucket.otherLabel, bucket.missingLabel]) if (label !== undefined) found.delete(label)
    if (found.size === 0) return bucket
    const { matching: _matching, notMatching: _notMatching, ...rest } = bucket
    return { ...rest, include: [...found] as string[], size: found.size + 1, orderBy: 'count', otherBucket: false }
  })
  return { shiftMs, request: { ...request, buckets } }
}

/** The numbers of a shifted table beside those of the range itself: rows of the same groups, and along time of the same place in the range. */
export function withShifted(own: Table, before: Table, shiftMs: number, range: ResolvedRange): Table {
  const keys = own.columns.filter(({ role }) => role === 'bucket')
  const added = before.columns.filter(({ role }) => role === 'metric')
  const moved = (row: Readonly<Record<string, Cell>>): Record<string, Cell> =>
    Object.fromEntries(
      keys.map(({ id, type }) => [id, type === 'date' ? Number(row[id]) + shiftMs : (row[id] ?? null)]),
    )
  const keyOf = (row: Readonly<Record<string, Cell>>): string => JSON.stringify(keys.map(({ id }) => row[id] ?? null))
  const none = (columns: readonly Column[]): Record<string, Cell> =>
    Object.fromEntries(columns.map(({ id }) => [id, null]))
  const rows = new Map(own.rows.map((row) => [keyOf(row), { ...none(added), ...row }]))
  for (const row of before.rows) {
    const place = moved(row)
    const found = rows.get(keyOf(place))
    const numbers = Object.fromEntries(added.map(({ id }) => [id, row[id] ?? null]))
    const empty = none(own.columns)
    const isWithin = keys.some(({ id, type }) => type === 'date' && Number(place[id]) <= range.toMs)
    // A time at which nothing happened in the range itself is still one of before.
    if (found || isWithin) rows.set(keyOf(place), { ...empty, ...place, ...found, ...numbers })
  }
  const time = keys.find(({ type }) => type === 'date')
  const all = [...rows.values()]
  if (time && keys.length === 1) all.sort((left, right) => Number(left[time.id]) - Number(right[time.id]))
  return { columns: [...own.columns, ...added], rows: all }
}
