import type { Predicate } from '@logstack/rules'

/**
 * Alternatives on one field as one: a thousand `should` clauses become one list to look values up in. Says the same as the given ones; the
 * order changes.
 */
export function mergeAlternatives(of: readonly Predicate[]): readonly Predicate[] {
  return merge(alternatives(of), alternativeKey, joined)
}

/** Alternatives among alternatives are some more of them, and a phrase of one word is that word. */
function alternatives(of: readonly Predicate[]): readonly Predicate[] {
  return of.flatMap((each) => (each.op === 'or' ? alternatives(each.of) : [asWord(each)]))
}

function asWord(predicate: Predicate): Predicate {
  if (predicate.op !== 'phrase' || predicate.tokens.length !== 1 || predicate.prefix) return predicate
  return { op: 'tokens', field: predicate.field, tokens: predicate.tokens, count: 1 }
}

/**
 * Words that one field must all hold as one, and what it must not be as one list: the engine thinks about each mention of the expression that cuts words,
 * and asks the token index once instead of forty times. Says the same as the given ones; the order changes.
 */
export function mergeRequirements(of: readonly Predicate[]): readonly Predicate[] {
  return merge(of, requirementKey, (same) => {
    const refused = same.flatMap((each) => (each.op === 'not' ? [each.of] : []))
    if (refused.length > 0) return { op: 'not', of: joined(refused) }
    const tokens = same.flatMap((each) => (each.op === 'tokens' ? each.tokens : []))
    return { ...(same[0] as Predicate & { readonly op: 'tokens' }), tokens, count: tokens.length }
  })
}

function merge(
  of: readonly Predicate[],
  keyOf: (predicate: Predicate) => string | undefined,
  join: (same: readonly Predicate[]) => Predicate,
): readonly Predicate[] {
  if (of.length < 2) return of
  const merged = new Map<string, Predicate[]>()
  const kept: Predicate[] = []
  for (const predicate of of) {
    const key = keyOf(predicate)
    if (key === undefined) kept.push(predicate)
    else {
      const same = merged.get(key)
      if (same) same.push(predicate)
      else merged.set(key, [predicate])
    }
  }
  const joins = [...merged.values()].map((same) => (same.length === 1 ? (same[0] as Predicate) : join(same)))
  return [...joins, ...kept]
}

/** Tokens only where all are asked for; a value and a list of a field are never in the same document, so the clauses hold of the same one. */
function requirementKey(predicate: Predicate): string | undefined {
  if (predicate.op === 'not') {
    const key = alternativeKey(predicate.of)
    return key && `not ${key}`
  }
  if (predicate.op !== 'tokens' || predicate.tokens.length === 0) return undefined
  return predicate.count === predicate.tokens.length ? `tokens ${predicate.field.path}` : undefined
}

function alternativeKey(predicate: Predicate): string | undefined {
  if (predicate.op === 'ids') return 'ids'
  if (predicate.op === 'equals') return `equals ${predicate.field.type} ${predicate.field.path}`
  return predicate.op === 'tokens' && predicate.count === 1 ? `tokens ${predicate.field.path}` : undefined
}

function joined(same: readonly Predicate[]): Predicate {
  const [first] = same
  if (first?.op === 'ids') return { op: 'ids', ids: same.flatMap((each) => (each.op === 'ids' ? each.ids : [])) }
  if (first?.op === 'equals')
    return { ...first, values: same.flatMap((each) => (each.op === 'equals' ? each.values : [])) }
  if (first?.op === 'tokens')
    return { ...first, tokens: same.flatMap((each) => (each.op === 'tokens' ? each.tokens : [])) }
  throw new Error('BUG: alternatives of another kind were merged')
}
