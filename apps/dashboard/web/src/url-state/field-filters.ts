/** One filter pill: a field has a value, any of several, lies in a range, or (without any of these) exists. */
export interface FieldFilter {
  readonly field: string
  readonly value?: string | number | boolean
  /** Any of these. */
  readonly values?: readonly (string | number | boolean)[]
  /** Both ends belong to it. */
  readonly range?: { readonly gte?: number; readonly lte?: number }
  readonly negate?: boolean
  /** Kept, but asks for nothing. */
  readonly disabled?: boolean
  /** Goes along to other pages. */
  readonly pinned?: boolean
  /** The control that set it; it changes with that control. */
  readonly control?: string
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
