import type { ErrorKind } from '../kinds.ts'

/** One error the product can report. Codes are stable and never reused. */
export interface CatalogEntry {
  readonly code: string
  readonly kind: ErrorKind
  /** One sentence for docs/errors.md: when it happens. */
  readonly when: string
}

/** Turns `{ code: [kind, when] }` into catalogue entries that carry their own code. */
export function defineErrors<const T extends Record<string, readonly [ErrorKind, string]>>(
  table: T,
): { readonly [K in keyof T]: CatalogEntry } {
  const entries = Object.entries(table).map(([code, [kind, when]]) => [code, { code, kind, when }])
  return Object.fromEntries(entries)
}
