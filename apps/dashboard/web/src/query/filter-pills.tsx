import { Group, Pill } from '@mantine/core'
import type { FieldFilter } from './build-query.ts'
import { messages } from './messages.ts'

/** Filters of the page, each with its value; a click on the cross removes one. */
export function FilterPills({
  filters,
  onChange,
}: {
  filters: readonly FieldFilter[]
  onChange: (filters: FieldFilter[]) => void
}) {
  if (filters.length === 0) return null
  return (
    <Group gap={6}>
      {filters.map((filter) => (
        <Pill
          key={JSON.stringify(filter)}
          withRemoveButton
          removeButtonProps={reachable(`${messages.remove} ${describe(filter)}`)}
          onRemove={() => onChange(filters.filter((other) => other !== filter))}
          {...(filter.negate ? { c: 'red' } : {})}
        >
          {describe(filter)}
        </Pill>
      ))}
    </Group>
  )
}

/** The cross of a pill for keyboards and screen readers too: the library hides it from both. */
export function reachable(label: string): { 'aria-label': string; 'aria-hidden': false; tabIndex: 0 } {
  return { 'aria-label': label, 'aria-hidden': false, tabIndex: 0 }
}

function describe(filter: FieldFilter): string {
  const text = describePositive(filter)
  return filter.negate ? `${messages.not} ${text}` : text
}

function describePositive({ field, value, values, range }: FieldFilter): string {
  if (value !== undefined) return `${field}: ${value}`
  if (values) return `${field}: ${values.join(` ${messages.or} `)}`
  return range ? `${field}: ${range.gte ?? ''} – ${range.lte ?? ''}` : `${field} ${messages.exists}`
}

/** Filters in the address: one compact JSON array. */
export function readFilters(text: string | undefined): FieldFilter[] {
  if (!text) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isFilter) : []
  } catch {
    return []
  }
}

/** The inverse of `readFilters`; nothing for no filters. */
export function writeFilters(filters: readonly FieldFilter[]): string | undefined {
  return filters.length === 0 ? undefined : JSON.stringify(filters)
}

function isFilter(value: unknown): value is FieldFilter {
  return typeof value === 'object' && value !== null && typeof (value as FieldFilter).field === 'string'
}
