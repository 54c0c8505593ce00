import type { Services } from '../../services.ts'
import type { Route } from '../define-route.ts'

/** How often each route was asked for since the start, by its name. */
const routeUses = new WeakMap<object, Map<string, number>>()

function usesOf({ catalogue }: Pick<Services, 'catalogue'>): Map<string, number> {
  const known = routeUses.get(catalogue)
  if (known) return known
  const made = new Map<string, number>()
  routeUses.set(catalogue, made)
  return made
}

/** The route, which counts how often it is asked for. */
export function countUses(route: Route): Route {
  return {
    ...route,
    handle(request, services) {
      const uses = usesOf(services)
      uses.set(route.name, (uses.get(route.name) ?? 0) + 1)
      return route.handle(request, services)
    },
  }
}

/** How often each route was asked for, under the names that Elasticsearch gives to actions: `nodes_usage_action`. */
export function restActions(services: Pick<Services, 'catalogue'>): Record<string, number> {
  const named = [...usesOf(services)].map(([name, count]) => [`${name.replaceAll('.', '_')}_action`, count] as const)
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}
