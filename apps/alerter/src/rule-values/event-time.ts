import { readValue } from '@logstack/rules'
import { leafAt } from './field-values.ts'
import { formatTime, parseTime } from './strftime.ts'

/** How a rule's timestamp field is written. */
export interface TimestampForm {
  readonly field: string
  readonly type: 'iso' | 'unix' | 'unix_ms' | 'custom'
  /** Python's strftime, for `custom`. */
  readonly format: string
}

/** The time of an event (epoch ms) in a rule's form; undefined when the field is absent or holds something else. */
export function eventTime(form: TimestampForm, source: unknown): number | undefined {
  const leaf = leafAt(source, form.field)
  if (form.type === 'custom' && typeof leaf === 'string') return parseTime(form.format, leaf)
  const value = form.type === 'unix' ? Number(leaf) * 1000 : readValue(leaf, 'date')
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A time (epoch ms) as a range clause on the field takes it. */
export function timeBound(form: TimestampForm, time: number): string | number {
  if (form.type === 'unix') return Math.floor(time / 1000)
  if (form.type === 'unix_ms') return Math.floor(time)
  return form.type === 'custom' ? formatTime(form.format, time) : new Date(time).toISOString()
}
