import type { TracedContext } from '../lower-context.ts'
import type { SortCriterion } from './read-sort.ts'

/** Makes the look-ups of a sort on one index's context. */
export function touchSort(sort: readonly SortCriterion[], context: TracedContext): void {
  for (const { field, script } of sort)
    if (script) context.computed.scripted(script.source, script.valueType)
    else if (!field.startsWith('_')) context.field(field)
}
