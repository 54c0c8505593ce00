import type { SavedObject } from '@logstack/contracts'
import { jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { automaticInterval } from '../../../time/interval.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'

/** A part of the dashboard's range: both ends as shares of it, from 0 to 1. */
export interface TimeSlice {
  readonly start: number
  readonly end: number
  /** Whether its start stays at the start of the range while it moves. */
  readonly anchored: boolean
}

/** The time slider of a dashboard. */
export interface TimeSliderModel {
  readonly id: string
  /** The slice it was saved with. */
  readonly saved: TimeSlice
}

/** The slice of everything. */
export const wholeSlice: TimeSlice = { start: 0, end: 1, anchored: false }

const stepsWanted = 10

/** The time slider among the controls above a dashboard (Kibana 8 and 9); there can be one. */
export function timeSliderOf(dashboard: SavedObject): TimeSliderModel | undefined {
  const panels = jsonObject(jsonObject(dashboard.attributes['controlGroupInput'])['panelsJSON'])
  const found = Object.entries(panels).find(([, panel]) => text(jsonObject(panel)['type']) === 'timeSlider')
  if (!found) return undefined
  const [id, panel] = found
  const input = jsonObject(jsonObject(panel)['explicitInput'])
  const start = number(input['timesliceStartAsPercentageOfTimeRange']) ?? 0
  const end = number(input['timesliceEndAsPercentageOfTimeRange']) ?? 1
  return { id, saved: checked({ start, end, anchored: input['isAnchored'] === true }) }
}

/** A slice as the address holds it, `0.25-0.5` or, anchored, `0-0.5-anchored`; undefined for what is none. */
export function readSlice(written: string | undefined): TimeSlice | undefined {
  const found = /^(0(?:\.\d{1,6})?|1)-(0(?:\.\d{1,6})?|1)(-anchored)?$/.exec(written ?? '')
  return found
    ? checked({ start: Number(found[1]), end: Number(found[2]), anchored: found[3] !== undefined })
    : undefined
}

/** The form for the address. */
export function writeSlice({ start, end, anchored }: TimeSlice): string {
  const share = (value: number): string => String(Math.round(value * 1e6) / 1e6)
  return `${share(start)}-${share(end)}${anchored ? '-anchored' : ''}`
}

/** The instants of a slice of a range. It ends before the one after it begins, so that no event is in two. */
export function sliceRange({ fromMs, toMs }: ResolvedRange, { start, end }: TimeSlice): ResolvedRange {
  const at = (share: number): number => Math.round(fromMs + (toMs - fromMs) * share)
  return { fromMs: at(start), toMs: end >= 1 ? toMs : Math.max(at(start), at(end) - 1) }
}

/** How far one step goes, as a share of the range: about a tenth of it, by a width that suits people. */
export function stepOf({ fromMs, toMs }: ResolvedRange): number {
  const rangeMs = toMs - fromMs
  return rangeMs <= 0 ? 1 : Math.min(1, automaticInterval(rangeMs, stepsWanted).ms / rangeMs)
}

/**
 * The slice one step on (1) or back (-1): by its own width, by a `step` for the slice of everything, and for an anchored one by growing.
 * At the end of the range it begins again at the other.
 */
export function movedSlice(slice: TimeSlice, direction: 1 | -1, step: number): TimeSlice {
  const { start, end, anchored } = slice
  const isWhole = end - start >= 1
  if (anchored) {
    if (isWhole) return { start: 0, end: direction === 1 ? step : 1 - step, anchored }
    const next = end + direction * step
    if (next <= tiny) return { start: 0, end: 1, anchored }
    return { start: 0, end: end >= 1 && direction === 1 ? step : Math.min(1, next), anchored }
  }
  const width = isWhole ? step : end - start
  if (isWhole) return direction === 1 ? { start: 0, end: width, anchored } : { start: 1 - width, end: 1, anchored }
  const from = start + direction * width
  if (from >= 1 - tiny) return { start: 0, end: width, anchored }
  if (from < -tiny) return { start: 1 - width, end: 1, anchored }
  return { start: Math.max(0, from), end: Math.min(1, from + width), anchored }
}

// Below a share that anybody could choose: differences of binary fractions.
const tiny = 1e-6

/** A slice with its ends in order and within the range; of one without a width everything. */
function checked({ start, end, anchored }: TimeSlice): TimeSlice {
  const within = (share: number): number => Math.min(1, Math.max(0, share))
  const from = anchored ? 0 : within(Math.min(start, end))
  const to = within(Math.max(start, end))
  return to - from > tiny ? { start: from, end: to, anchored } : { ...wholeSlice, anchored }
}
