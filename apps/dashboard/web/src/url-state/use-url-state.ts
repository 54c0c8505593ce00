import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

/** Values for the address; undefined and empty ones are removed from it. */
export type UrlPatch = Readonly<Record<string, string | undefined>>

/** The page's state in its address, as plain readable parameters: `?query=…&from=now-1h`. */
export interface UrlState {
  get(name: string): string | undefined
  /** Changes parameters; `replace` leaves no step in the browser's history. */
  set(patch: UrlPatch, options?: { replace?: boolean }): void
}

/** Reads and changes the address of the page; every change is one step of the browser's history unless told otherwise. */
export function useUrlState(): UrlState {
  const search = useSearch()
  const [location, navigate] = useLocation()
  const parameters = new URLSearchParams(search)
  const set = useCallback(
    (patch: UrlPatch, options: { replace?: boolean } = {}) => {
      const next = patchSearch(window.location.search, patch)
      if (next !== window.location.search) navigate(`${location}${next}`, { replace: options.replace ?? false })
    },
    [location, navigate],
  )
  return { get: (name) => parameters.get(name) ?? undefined, set }
}

/** A query string with some parameters changed; characters that read well stay as they are. */
function patchSearch(search: string, patch: UrlPatch): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  const text = parameters.toString().replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}
