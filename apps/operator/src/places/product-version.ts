/** The product's own version: of the operator, the agents and the server they talk to. */
export const productVersion = '0.1.0'

/** Whether a version (`MAJOR.MINOR.PATCH`, anything behind a third `.`, `+` or `-` left out) is newer than another. */
export function isNewer(version: string, than: string): boolean {
  const numbers = (text: string): number[] => text.split(/[.+-]/, 3).map(Number)
  const others = numbers(than)
  const at = numbers(version).findIndex((number, index) => number !== others[index])
  return at >= 0 && (numbers(version)[at] ?? 0) > (others[at] ?? 0)
}
