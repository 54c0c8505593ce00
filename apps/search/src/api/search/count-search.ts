import { operationCounters } from '../../documents/operation-counts.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { statusCounters } from '../../indices/status-counts.ts'
import { isObject } from '../../json/json-object.ts'
import type { Services } from '../../services.ts'
import { statusOf } from '../render-error.ts'

/** Runs a search and counts it for its indices, and for the groups its body names under `stats`. */
export async function countedSearch<T>(
  services: Services,
  indices: readonly ResolvedIndex[],
  body: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now()
  try {
    const answer = await work()
    statusCounters(services).count('searches', 200)
    return answer
  } catch (thrown) {
    statusCounters(services).count('searches', statusOf(thrown))
    throw thrown
  } finally {
    const stats = isObject(body) ? body['stats'] : undefined
    const groups = Array.isArray(stats) ? stats.filter((group) => typeof group === 'string') : []
    const searched = indices.map(({ index }) => index)
    operationCounters(services).searched(searched, groups, performance.now() - began)
  }
}
