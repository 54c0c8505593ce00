import { createHash } from 'node:crypto'

/** An id that follows from what it stands for: the same parts have the same one, in `length` characters of base64url. */
export function stableId(parts: unknown, length = 22): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, length)
}
