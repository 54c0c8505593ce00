import { Double } from '../json/print-json.ts'
import { DateValue } from './date-value.ts'
import { DocValues } from './doc-values.ts'
import { HostObject } from './host-object.ts'
import { mapEntries } from './script-map.ts'
import { numberTypeOf, TypedNumber } from './typed-number.ts'

/** A value of a script as JSON has it: doubles with their decimal point, maps in the order Java goes through them. */
export function plainValue(value: unknown): unknown {
  if (value instanceof DateValue) return new Date(value.ms).toISOString()
  if (value instanceof DocValues) return value.items().map(plainValue)
  const type = numberTypeOf(value)
  if (type !== undefined) {
    const number = value instanceof TypedNumber ? value.value : value
    return type === 'double' || type === 'float' ? new Double(Number(number)) : number
  }
  if (value instanceof HostObject) return plainValue(value.toJSON())
  if (Array.isArray(value)) return value.map(plainValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(mapEntries(value).map(([key, inner]) => [String(key), plainValue(inner)]))
}
