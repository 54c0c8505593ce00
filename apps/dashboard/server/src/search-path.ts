import { AppError, dashboardErrors } from '@logstack/errors'

/**
 * Turns what a person typed after the method (`_cat/shards?v`, with or without a leading slash) into a request path for search.
 * The address is always search's own: a path with a scheme or host is refused. Characters that need it are percent-encoded.
 */
export function searchPath(typed: string): string {
  const trimmed = typed.trim()
  if (
    trimmed === '' ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ||
    trimmed.startsWith('//') ||
    /[\r\n]/.test(trimmed)
  ) {
    throw new AppError(dashboardErrors.request_invalid, 'expected a path such as _cluster/health, without an address')
  }
  const base = 'https://search.invalid'
  const url = new URL(trimmed.startsWith('/') ? `${base}${trimmed}` : `${base}/${trimmed}`)
  if (url.origin !== base) throw new AppError(dashboardErrors.request_invalid, 'expected a path without an address')
  return url.pathname + url.search
}
