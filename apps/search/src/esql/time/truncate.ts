import type { Span } from '@logstack/esql'
import { type Sql, sql } from '../../sql/sql.ts'
import { spanMonths, spanMs } from '../operators.ts'
import { dayMs, floorTo, monthsOf, msOfMonths } from './calendar.ts'

/** The epoch began on a Thursday; weeks begin on Monday. */
const weekShiftMs = 3 * dayMs
const weekMs = 7 * dayMs

/**
 * The start of the span of time that a moment lies in, in milliseconds: spans of fixed length are counted from 1970, single weeks begin on Monday, months and years are counted from the
 * year 1.
 */
export function truncated(span: Span, ms: Sql): Sql {
  const size = spanMs(span)
  if (size !== undefined) return floorTo(ms, size, size === weekMs ? weekShiftMs : 0)
  const months = spanMonths(span)
  return msOfMonths(floorTo(sql`${monthsOf(ms)}`, months))
}
