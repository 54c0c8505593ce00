import type { AlertDocument } from '@logstack/contracts'
import type { FieldFilter } from '../../url-state/field-filters.ts'

const marginMs = 1000
const idsMax = 40

/** The address parameters with which Discover shows an alert's events, in the first index pattern that holds them. */
export function discoverSearch(
  document: AlertDocument,
  patterns: readonly { readonly id: string; readonly title: string }[],
): string {
  const { first_event: first, last_event: last, events, key, key_field: field } = document.logstack.alert
  const parameters = new URLSearchParams({
    from: new Date(Date.parse(first) - marginMs).toISOString(),
    to: new Date(Date.parse(last) + marginMs).toISOString(),
  })
  const index = events.at(-1)?.index
  const pattern = index === undefined ? undefined : patterns.find(({ title }) => isMatch(title, index))
  if (pattern) parameters.set('index', pattern.id)
  const filters: FieldFilter[] = []
  if (events.length > 0 && events.length <= idsMax) filters.push({ field: '_id', values: events.map(({ id }) => id) })
  else if (key !== undefined && field !== undefined && !field.includes(',')) filters.push({ field, value: key })
  if (filters.length > 0) parameters.set('filters', JSON.stringify(filters))
  return parameters.toString()
}

// A backing index `.ds-NAME-DATE-NUMBER` is found by its data stream's name.
function isMatch(title: string, index: string): boolean {
  const name = /^\.ds-(.+)-\d{4}\.\d\d\.\d\d-\d{6}$/u.exec(index)?.[1] ?? index
  return title.split(',').some((pattern) => {
    const pieces = pattern
      .trim()
      .split('*')
      .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
    return new RegExp(`^${pieces.join('.*')}$`, 'u').test(name)
  })
}
