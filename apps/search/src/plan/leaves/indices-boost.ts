import { isAppError } from '@logstack/errors'
import type { IndicesBoost } from '../../dsl/indices-boost.ts'
import { ofRequest } from '../../refusals/refuse.ts'
import type { PlanServices } from './leaf-request.ts'

/** The boost of each index by name. Throws `index_not_found_exception` for a name that does not exist, unless that is to be ignored. */
export function boostsByIndex(
  { catalogue }: Pick<PlanServices, 'catalogue'>,
  asked: IndicesBoost,
  ignoreUnavailable: boolean,
): ReadonlyMap<string, number> {
  const boosts = new Map<string, number>()
  for (const [expression, boost] of asked) {
    const options = {
      ignoreUnavailable,
      allowNoIndices: true,
      expand: ['open', 'hidden'],
      forbidClosed: false,
    } as const
    for (const { index } of resolved(() => catalogue.resolve(expression, options)))
      if (!boosts.has(index.name)) boosts.set(index.name, boost)
  }
  return boosts
}

/** Which indices are meant is found out before any is searched. */
function resolved<T>(resolve: () => T): T {
  try {
    return resolve()
  } catch (thrown) {
    throw isAppError(thrown) ? ofRequest(thrown) : thrown
  }
}
