/** Takes the entries that were set longest ago out of a map until it has `max`, and calls `forgot` for each. */
export function forgetOldest(map: Map<string, unknown>, max: number, forgot: () => void): void {
  // Not before it must be: a walk through 100,000 keys at each event would cost more than all else.
  if (map.size <= max) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    forgot()
    if (map.size <= max) return
  }
}
