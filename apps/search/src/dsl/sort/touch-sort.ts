import type { TracedContext } from '../lower-context.ts'
import { eachLevel } from './nested-sort.ts'
import type { SortCriterion } from './read-sort.ts'

/** Makes the look-ups of a sort on one index's context. */
export function touchSort(sort: readonly SortCriterion[], context: TracedContext): void {
  for (const { field, script, nested } of sort) {
    if (script) context.computed.scripted(script.source, script.valueType)
    else if (!field.startsWith('_')) context.field(field)
    eachLevel(nested, context, ({ path, filter }) => {
      if (filter !== undefined) context.within(path, () => context.lower(filter))
    })
  }
}
