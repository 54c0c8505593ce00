import type { Bounds, Predicate } from '@logstack/rules'
import { num, type Sql, sql } from './sql.ts'

/** Milliseconds since the epoch, both ends included. */
export interface TimeBounds {
  readonly from: number
  readonly to: number
}

/**
 * The bounds of the sort key `_time` that follow from a predicate's ranges over `@timestamp`. Only ranges that every match must satisfy count.
 * `_time` is the event's own time wherever it has a single `@timestamp`.
 */
export function timeBounds(predicate: Predicate): TimeBounds {
  if (predicate.op === 'and') {
    const each = predicate.of.map(timeBounds)
    return {
      from: Math.max(Number.NEGATIVE_INFINITY, ...each.map(({ from }) => from)),
      to: Math.min(Number.POSITIVE_INFINITY, ...each.map(({ to }) => to)),
    }
  }
  if (!isTimeRange(predicate)) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  const { type } = predicate.field
  // Nanoseconds were cut off when `_time` was made, so an open bound must be read as a closed one.
  const ms = (value: Bounds['gt']) =>
    Math.floor(type === 'date' ? Number(value) : Number(BigInt(value ?? 0) / 1_000_000n))
  const { gt, gte, lt, lte } = predicate.bounds
  const given = (values: readonly Bounds['gt'][]) => values.filter((value) => value !== undefined).map(ms)
  return {
    from: Math.max(Number.NEGATIVE_INFINITY, ...given([gt, gte])),
    to: Math.min(Number.POSITIVE_INFINITY, ...given([lt, lte])),
  }
}

/** Whether a predicate is nothing but bounds of `@timestamp`, so that it holds of all documents of its time. */
export function isOnlyTime(predicate: Predicate): boolean {
  if (predicate.op === 'and') return predicate.of.every(isOnlyTime)
  return predicate.op === 'all' || isTimeRange(predicate)
}

function isTimeRange(predicate: Predicate): predicate is Extract<Predicate, { readonly op: 'range' }> {
  if (predicate.op !== 'range' || predicate.field.path !== '@timestamp') return false
  return predicate.field.type === 'date' || predicate.field.type === 'date_nanos'
}

/** The bounds as conditions, so that the engine reads only the granules of that time. */
export function timePruning(predicate: Predicate): Sql[] {
  const { from, to } = timeBounds(predicate)
  return [
    ...(Number.isFinite(from) ? [sql`_time >= ${num(from)}`] : []),
    ...(Number.isFinite(to) ? [sql`_time <= ${num(to)}`] : []),
  ]
}
