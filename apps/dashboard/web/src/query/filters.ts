import type { FieldFilter } from '../url-state/field-filters.ts'
import { messages } from './messages.ts'

/** A filter in words: `not host.name: web-1`. */
export function describeFilter(filter: FieldFilter): string {
  const text = describePositive(filter)
  return filter.negate ? `${messages.not} ${text}` : text
}

function describePositive({ field, value, values, range }: FieldFilter): string {
  if (value !== undefined) return `${field}: ${value}`
  if (values) return `${field}: ${values.join(` ${messages.or} `)}`
  return range ? `${field}: ${range.gte ?? ''} – ${range.lte ?? ''}` : `${field} ${messages.exists}`
}

/** A filter with one of its switches (`negate`, `disabled`, `pinned`) the other way. */
export function toggled(filter: FieldFilter, flag: 'negate' | 'disabled' | 'pinned'): FieldFilter {
  const { [flag]: was, ...rest } = filter
  return was ? rest : { ...rest, [flag]: true }
}

/** What a person can ask of a field, in the order of the list. */
export const operators = ['is', 'isOneOf', 'isBetween', 'exists'] as const
export type Operator = (typeof operators)[number]

/** What a filter asks of its field. */
export function operatorOf({ value, values, range }: FieldFilter): Operator {
  if (values) return 'isOneOf'
  if (range) return 'isBetween'
  return value === undefined ? 'exists' : 'is'
}

/** The filters with one more; one that is disabled or the other way round gives place to it. */
export function withFilter(filters: readonly FieldFilter[], added: FieldFilter): FieldFilter[] {
  const key = ({ field, value, values, range }: FieldFilter): string => JSON.stringify([field, value, values, range])
  return [...filters.filter((other) => key(other) !== key(added)), added]
}
