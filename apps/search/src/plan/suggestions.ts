import type { SearchRequest } from '../dsl/search-request.ts'
import { runSuggest } from '../dsl/suggesters/run-suggest.ts'
import { visibleSource } from '../security/visible-source.ts'
import type { PlanServices } from './leaves/leaf-request.ts'
import { columnLookup, type Leaf, leafRows } from './leaves/leaves.ts'
import type { PlanRead } from './leaves/plan-read.ts'

/** `suggest` looks at all documents the caller sees, whatever the query. */
export async function suggestions(
  services: PlanServices,
  everyLeaf: () => readonly Leaf[],
  { request, typedKeys }: { readonly request: SearchRequest; readonly typedKeys: boolean },
  read: PlanRead,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (request.suggest.length === 0) return undefined
  const rows = everyLeaf().map((leaf) => ({
    table: leaf.table,
    indices: leaf.indices,
    context: leaf.context,
    columns: columnLookup(services, leaf),
    ...leafRows(services, leaf),
    visibleSource: (index: Leaf['indices'][number], source: Buffer) => visibleSource(leaf.scope, index, source, true),
  }))
  return runSuggest(request.suggest, { engine: services.engine, rows, read, source: request.source }, typedKeys)
}
