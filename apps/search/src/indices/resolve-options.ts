import { AppError, searchErrors } from '@logstack/errors'
import type { ResolveOptions } from './resolve.ts'

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
  if (name === 'open' || name === 'closed' || name === 'hidden') return [name]
  if (name === 'none' || name === '') return []
  throw new AppError(searchErrors.illegal_argument_exception, `No valid expand wildcard value [${name}]`)
}
