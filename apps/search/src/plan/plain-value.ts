import { DateValue } from '../painless/date-value.ts'
import { DocValues } from '../painless/doc-values.ts'
import { HostObject } from '../painless/host-object.ts'
import { Double } from './json.ts'

/** A value of a script as JSON has it; `decimal`: whether its numbers are doubles by the script's form. */
export function plainValue(value: unknown, decimal: boolean): unknown {
  if (value instanceof DateValue) return new Date(value.ms).toISOString()
  if (value instanceof DocValues) return value.items().map((inner) => plainValue(inner, decimal))
  if (value instanceof HostObject) return plainValue(value.toJSON(), decimal)
  if (typeof value === 'number') return decimal || !Number.isInteger(value) ? new Double(value) : value
  if (Array.isArray(value)) return value.map((inner) => plainValue(inner, decimal))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner, decimal)]))
}
