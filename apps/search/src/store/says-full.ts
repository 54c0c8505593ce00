/** By name as Node.js gives it, by number (ENOSPC, EDQUOT) as the catalogue's library does. */
const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 28, 122])

/** Whether an error of the system says that there is no room left. */
export function saysFull(error: unknown): boolean {
  return codes.has((Object(error) as { readonly code?: unknown }).code)
}
