import type { Predicate } from '@logstack/rules'

/**
 * Alternatives on one field as one: a thousand `should` clauses become one list to look values up in. Says the same as the given ones; the
 * order changes.
 */
export function mergeAlternatives(of: readonly Predicate[]): readonly Predicate[] {
  if (of.length < 2) return of
  const merged = new Map<string, Predicate[]>()
  const kept: Predicate[] = []
  for (const predicate of of) {
    const key = mergeKey(predicate)
    if (key === undefined) kept.push(predicate)
    else {
      const same = merged.get(key)
      if (same) same.push(predicate)
      else merged.set(key, [predicate])
    }
  }
  return [...[...merged.values()].map(joined), ...kept]
}

function mergeKey(predicate: Predicate): string | undefined {
  if (predicate.op === 'ids') return 'ids'
  if (predicate.op === 'equals') return `equals ${predicate.field.type} ${predicate.field.path}`
  return predicate.op === 'tokens' && predicate.count === 1 ? `tokens ${predicate.field.path}` : undefined
}

function joined(same: readonly Predicate[]): Predicate {
  const [first] = same
  if (same.length === 1 && first) return first
  if (first?.op === 'ids') return { op: 'ids', ids: same.flatMap((each) => (each.op === 'ids' ? each.ids : [])) }
  if (first?.op === 'equals')
    return { ...first, values: same.flatMap((each) => (each.op === 'equals' ? each.values : [])) }
  if (first?.op === 'tokens')
    return { ...first, tokens: same.flatMap((each) => (each.op === 'tokens' ? each.tokens : [])) }
  throw new Error('BUG: alternatives of another kind were merged')
}
