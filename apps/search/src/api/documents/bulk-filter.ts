import { readPathFilter } from '../encoding/filter-path.ts'

/** Members of an answer and of each of its items that a request wants to see. */
export interface BulkFilter {
  readonly members: ReadonlySet<string>
  readonly items: ReadonlySet<string>
}

const isName = (segment: string | undefined): segment is string => segment !== undefined && !segment.includes('*')

/**
 * What `filter_path` leaves of a bulk answer, where it only names members, as shippers do (`errors,items.*.status`): thousands of items are then not
 * written, read and thrown away. Undefined for everything else, which is filtered like all answers.
 */
export function readBulkFilter(filterPath: unknown): BulkFilter | undefined {
  const filter = typeof filterPath === 'string' ? readPathFilter(filterPath) : undefined
  if (!filter || filter.exclude.length > 0) return undefined
  const members = new Set<string>()
  const items = new Set<string>()
  for (const [first, second, third, ...deeper] of filter.include) {
    if (isName(first) && second === undefined && first !== 'items') members.add(first)
    else if (first === 'items' && second === '*' && isName(third) && deeper.length === 0) items.add(third)
    else return undefined
  }
  return { members, items }
}
