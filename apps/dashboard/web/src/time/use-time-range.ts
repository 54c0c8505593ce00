import { useCallback, useEffect, useMemo, useState } from 'react'
import { readFilters, writeFilters } from '../url-state/field-filters.ts'
import { useUrlState } from '../url-state/use-url-state.ts'
import { takeOpeningTime } from './opening-time.ts'
import { defaultRange, type ResolvedRange, resolveRange, type TimeRange } from './time-range.ts'

/** The page's time range, its refresh interval and the instants of the current round of requests. */
export interface TimeState {
  readonly range: TimeRange
  readonly setRange: (range: TimeRange) => void
  /** 0 when paused. */
  readonly refreshMs: number
  readonly setRefreshMs: (refreshMs: number) => void
  /** Fixed until the range changes or `refresh` is called, so that all requests of a page agree on "now". */
  readonly resolved: ResolvedRange
  /** Counts refreshes; belongs in the key of every query over the range. */
  readonly round: number
  readonly refresh: () => void
}

/** The time range of the page, kept in its address (`from`, `to`, `refresh`). */
export function useTimeRange(initial: TimeRange = defaultRange): TimeState {
  const url = useUrlState()
  const [{ round, now }, setRound] = useState(() => ({ round: 0, now: takeOpeningTime() }))
  const from = url.get('from') ?? initial.from
  const to = url.get('to') ?? initial.to
  const refreshMs = Math.max(0, Number(url.get('refresh') ?? 0) || 0)
  const range = useMemo(() => ({ from, to }), [from, to])
  const resolved = useMemo(() => resolveRange(range, now), [range, now])
  const refresh = useCallback(() => setRound((last) => ({ round: last.round + 1, now: new Date() })), [])
  const { set } = url
  const setRange = useCallback(
    (next: TimeRange) => {
      set({ from: next.from, to: next.to })
      refresh()
    },
    [set, refresh],
  )
  useEffect(() => {
    if (refreshMs === 0) return undefined
    const timer = setInterval(() => {
      if (!document.hidden) refresh()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [refreshMs, refresh])
  return {
    range,
    setRange,
    refreshMs,
    setRefreshMs: (next) => url.set({ refresh: next === 0 ? undefined : String(next) }, { replace: true }),
    resolved,
    round,
    refresh,
  }
}

/** The part of the address that travels from page to page: the range, its refresh and the pinned filters, `?from=…&to=…&filters=…`, or nothing. */
export function useTimeSearch(): string {
  const url = useUrlState()
  const kept = ['from', 'to', 'refresh'].flatMap((name) => {
    const value = url.get(name)
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  const pinned = writeFilters(readFilters(url.get('filters')).filter((filter) => filter.pinned))
  if (pinned !== undefined) kept.push(`filters=${encodeURIComponent(pinned)}`)
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
