import type { Route } from './define-route.ts'

type Method = Route['methods'][number]

/** What a method and path lead to. */
export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path exists for other methods only. */
  | { readonly kind: 'method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'none' }

/** Finds routes by method and raw path. */
export interface Router {
  match(method: string, rawPath: string): RouteMatch
}

interface Pattern {
  readonly route: Route
  readonly segments: readonly string[]
  readonly source: string
}

/** Builds a router. Where several patterns match, the one with the earliest literal segment wins; two routes for one method and path are a `BUG:`. */
export function createRouter(routes: readonly Route[]): Router {
  const byLength = new Map<number, Pattern[]>()
  const seen = new Map<string, string>()
  for (const route of routes) {
    for (const source of route.paths) {
      claim(seen, route, source)
      const segments = source.split('/').filter((segment) => segment !== '')
      byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { route, segments, source }])
    }
  }
  for (const patterns of byLength.values()) patterns.sort((a, b) => compareSpecificity(a.segments, b.segments))
  return {
    match(method, rawPath) {
      const given = rawPath.split('/').filter((segment) => segment !== '')
      const fitting = (byLength.get(given.length) ?? []).filter((pattern) => fits(pattern.segments, given))
      // Where a path begins with a name of the API's own, that is no name of an index, whatever the method.
      const named = fitting.filter(({ segments: [first = ''] }) => !isParameter(first))
      const matching = named.length > 0 ? named : fitting
      const found = matching.find((pattern) => (pattern.route.methods as readonly string[]).includes(method))
      if (found) return { kind: 'route', route: found.route, params: paramsOf(found.segments, given) }
      if (matching.length === 0) return { kind: 'none' }
      return { kind: 'method', allowed: inOrder(matching.flatMap((pattern) => pattern.route.methods)) }
    },
  }
}

const methodOrder = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const

function inOrder(methods: Route['methods']): Route['methods'] {
  return methodOrder.filter((method) => methods.includes(method))
}

function claim(seen: Map<string, string>, route: Route, source: string): void {
  for (const method of route.methods) {
    const key = `${method} ${source.replace(/\{\w+\}/g, '{}')}`
    const other = seen.get(key)
    if (other !== undefined) throw new Error(`BUG: ${key} is claimed by ${other} and ${route.name}`)
    seen.set(key, route.name)
  }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

function compareSpecificity(a: readonly string[], b: readonly string[]): number {
  for (const [at, segment] of a.entries()) {
    const other = isParameter(b[at] ?? '')
    if (isParameter(segment) !== other) return other ? -1 : 1
  }
  return 0
}

function fits(pattern: readonly string[], given: readonly string[]): boolean {
  return pattern.every((segment, at) => isParameter(segment) || segment === given[at])
}

function paramsOf(pattern: readonly string[], given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [at, segment] of pattern.entries()) {
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeSegment(given[at] ?? '')
  }
  return params
}

/** Percent-decodes a path segment; a malformed one stays as written, as Elasticsearch's own decoder leaves it to the name's rules. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (thrown) {
    if (thrown instanceof URIError) return segment
    throw thrown
  }
}
