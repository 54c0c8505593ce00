import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { refuseBlocked } from '../../indices/blocks.ts'
import type { ResolvedIndex, ResolveOptions } from '../../indices/resolve.ts'
import type { Scope } from '../../model/scope.ts'
import { needOf } from '../../security/actions.ts'
import { forbidden } from '../../security/denied.ts'
import type { Services } from '../../services.ts'
import type { ParameterTable } from '../define-route.ts'

/** The parameters of every route that takes index expressions. */
export const indicesOptionParameters = {
  ignore_unavailable: 'boolean',
  allow_no_indices: 'boolean',
  expand_wildcards: 'list',
  ignore_throttled: 'boolean',
} as const satisfies ParameterTable

/**
 * Resolves an index expression to what the caller may reach with `privilege`: what wildcards find is narrowed to it, a name given as such
 * must be allowed (403, also when it does not exist). Throws `cluster_block_exception` when an index must not be read.
 */
export function resolveAuthorized(
  request: { readonly scope: Scope },
  services: Pick<Services, 'catalogue'>,
  asked: { route: string; privilege: string; expression: string; options: ResolveOptions },
): readonly ResolvedIndex[] {
  const { route, expression, options } = asked
  const { action, wanted: privilege } = needOf(route, 'index', asked.privilege)
  const given = expression === '' ? ['_all'] : expression.split(',')
  const named = given.filter(isLiteral)
  const passed = options.ignoreUnavailable ? named.filter((token) => !request.scope.hasIndex(privilege, token)) : []
  const tokens = given.filter((token) => !passed.includes(token))
  if (tokens.length === 0) return []
  const literal = named.filter((token) => !passed.includes(token))
  requireIndices(request.scope, route, asked.privilege, literal)
  // Who may do it nowhere is refused also when every index is meant, instead of being shown none.
  if (literal.length === 0 && request.scope.hasAnyIndex?.(privilege) === false)
    throw forbidden(request.scope, action, 'index', privilege)
  const resolved = services.catalogue.resolve(tokens.join(','), options)
  const direct = resolved.filter(({ index }) => request.scope.hasIndex(privilege, index.name))
  const names = [...literal, ...reachedByPattern(request.scope, privilege, tokens, resolved)]
  const rest = new Set(resolved.map(({ index }) => index.name))
  for (const { index } of direct) rest.delete(index.name)
  // What is not open to the caller by its own name is only what the names that are let through: an alias with its filter.
  const through =
    rest.size === 0 || names.length === 0
      ? []
      : services.catalogue.resolve(names.join(','), { ...options, allowNoIndices: true, ignoreUnavailable: true })
  const allowed = [...direct, ...through.filter(({ index }) => rest.has(index.name))].sort((a, b) =>
    a.index.name < b.index.name ? -1 : 1,
  )
  if (allowed.length === 0 && !options.allowNoIndices) throw noIndex(expression)
  if (asked.privilege === 'read') for (const { index } of allowed) refuseBlocked(index, 'read')
  return allowed
}

/** Whether a part of an expression names one thing as it is; what is to be left out is a name where no pattern stands before it. */
function isLiteral(token: string, at: number, tokens: readonly string[]): boolean {
  if (token === '_all' || token.startsWith('<') || token.includes('*')) return false
  return !token.startsWith('-') || !tokens.slice(0, at).some((before) => before === '_all' || before.includes('*'))
}

function noIndex(expression: string): AppError {
  return new AppError(searchErrors.index_not_found_exception, `no such index [${expression}]`, {
    detail: { index_uuid: '_na_', index: expression },
  })
}

/** The aliases and data streams that patterns of the request reach and the caller may, in the order of their names. */
function reachedByPattern(
  scope: Scope,
  privilege: string,
  tokens: readonly string[],
  resolved: readonly ResolvedIndex[],
): string[] {
  const patterns = tokens.filter((token) => !/^[-<]/.test(token)).map((token) => (token === '_all' ? '*' : token))
  const wild = patterns.filter((pattern) => pattern.includes('*'))
  if (wild.length === 0) return []
  const names = resolved.flatMap(({ index }) =>
    scope.hasIndex(privilege, index.name) ? [] : Object.keys(index.aliases),
  )
  return [...new Set(names)]
    .filter((name) => wild.some((pattern) => fitsStars(name, pattern)) && scope.hasIndex(privilege, name))
    .sort()
}

/** Throws 403 unless the caller holds `privilege` on all names. */
export function requireIndices(scope: Scope, route: string, privilege: string, names: readonly string[]): void {
  const { action, wanted } = needOf(route, 'index', privilege)
  const refused = names.filter((name) => !scope.hasIndex(wanted, name))
  if (refused.length > 0) throw forbidden(scope, action, 'index', wanted, refused)
}

/** The default expansion of routes about metadata: also what is closed. */
export const openAndClosed = { expand: ['open', 'closed'] } as const
