import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two secrets are equal, in a time that tells nothing about where they differ or how long the expected one is. */
export function secretsEqual(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
  return timingSafeEqual(digest(given), digest(expected))
}
