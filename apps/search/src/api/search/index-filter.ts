import type { ResolvedIndex } from '../../indices/resolve.ts'
import { planLeaves } from '../../plan/leaves/plan-leaves.ts'
import { countMatches } from '../../plan/pruning/totals.ts'
import { shown } from '../../plan/shown.ts'
import type { Services } from '../../services.ts'
import type { RouteRequest } from '../define-route.ts'

/** Those of several indices that hold a document, of those the caller may read, which a query finds (`index_filter`); all without a query. */
export async function indicesHolding(
  services: Services,
  request: RouteRequest,
  indices: readonly ResolvedIndex[],
  query: unknown,
): Promise<ResolvedIndex[]> {
  const kept: ResolvedIndex[] = []
  for (const index of indices)
    if (query === undefined || (await holds(services, request, index, query))) kept.push(index)
  return kept
}

async function holds(
  services: Services,
  request: RouteRequest,
  index: ResolvedIndex,
  query: unknown,
): Promise<boolean> {
  await shown(services, [index])
  const release = services.documents.hold()
  try {
    const leaves = planLeaves(services, { indices: [index], scope: request.scope, query, nowMs: services.now() })
    const { value } = await countMatches(services, leaves, 1, { signal: request.signal })
    return value > 0
  } finally {
    release()
  }
}
