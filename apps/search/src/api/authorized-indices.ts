import { refuseBlocked } from '../indices/blocks.ts'
import type { ResolvedIndex, ResolveOptions } from '../indices/catalogue.ts'
import { actionOf } from '../security/actions.ts'
import { forbidden } from '../security/denied.ts'
import type { Scope } from '../security/scope.ts'
import type { Services } from '../services.ts'
import type { ParameterTable } from './define-route.ts'

/** The parameters of every route that takes index expressions. */
export const indicesOptionParameters = {
  ignore_unavailable: 'boolean',
  allow_no_indices: 'boolean',
  expand_wildcards: 'list',
  ignore_throttled: 'boolean',
} as const satisfies ParameterTable

/** What a request's indices options come to, on top of a route's defaults. */
export function resolveOptions(
  query: Readonly<Record<string, unknown>>,
  defaults: Partial<ResolveOptions> = {},
): ResolveOptions {
  const expand = query['expand_wildcards']
  const states = Array.isArray(expand) ? (expand as string[]).flatMap(statesOf) : undefined
  return {
    ignoreUnavailable: (query['ignore_unavailable'] as boolean | undefined) ?? defaults.ignoreUnavailable ?? false,
    allowNoIndices: (query['allow_no_indices'] as boolean | undefined) ?? defaults.allowNoIndices ?? true,
    expand: states ?? defaults.expand ?? ['open'],
    forbidClosed: defaults.forbidClosed ?? false,
    ignoreAliases: defaults.ignoreAliases ?? false,
  }
}

function statesOf(name: string): ('open' | 'closed' | 'hidden')[] {
  if (name === 'all') return ['open', 'closed', 'hidden']
  return name === 'open' || name === 'closed' || name === 'hidden' ? [name] : []
}

/**
 * Resolves an index expression to what the caller may reach with `privilege`: what wildcards find is narrowed to it, a name given as such
 * must be allowed (403, also when it does not exist). Throws `cluster_block_exception` when an index must not be read.
 */
export function resolveAuthorized(
  request: { readonly scope: Scope },
  services: Pick<Services, 'catalogue'>,
  asked: { route: string; privilege: string; expression: string; options: ResolveOptions },
): readonly ResolvedIndex[] {
  const { route, privilege, expression, options } = asked
  const tokens = expression === '' ? ['_all'] : expression.split(',')
  const literal = tokens.filter((token) => token !== '_all' && !/^[-<]/.test(token) && !token.includes('*'))
  requireIndices(request.scope, route, privilege, literal)
  const resolved = services.catalogue.resolve(tokens.join(','), options)
  const reached = new Set(literal)
  const allowed = resolved.filter(
    ({ index }) =>
      request.scope.hasIndex(privilege, index.name) ||
      reached.has(index.name) ||
      (index.dataStream !== undefined && reached.has(index.dataStream)) ||
      Object.keys(index.aliases).some((alias) => reached.has(alias)),
  )
  if (privilege === 'read') for (const { index } of allowed) refuseBlocked(index, 'read')
  return allowed
}

/** Throws 403 unless the caller holds `privilege` on all names. */
export function requireIndices(scope: Scope, route: string, privilege: string, names: readonly string[]): void {
  const refused = names.filter((name) => !scope.hasIndex(privilege, name))
  if (refused.length > 0) throw forbidden(scope, actionOf(route, 'index'), 'index', privilege, refused)
}

/** The default expansion of routes about metadata: also what is closed. */
export const openAndClosed = { expand: ['open', 'closed'] } as const
