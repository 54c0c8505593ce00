import type { Completeness } from './search.ts'

/** What answers lack of all that was asked for. */
export interface LeftOut {
  /** Indices that could not answer, each once, in the order of their names. */
  readonly indices: readonly { readonly name: string; readonly reason: string }[]
  /** Whether search ended before it had looked at everything. */
  readonly isLate: boolean
}

/** What is missing from answers that belong together; undefined where they are whole. */
export function leftOutOf(answers: readonly Completeness[]): LeftOut | undefined {
  const reasons = new Map<string, string>()
  for (const { index, reason } of answers.flatMap(({ _shards }) => _shards?.failures ?? [])) {
    const name = index ?? 'an index'
    if (!reasons.has(name)) reasons.set(name, reason?.reason ?? reason?.type ?? 'no reason was given')
  }
  const isLate = answers.some(({ timed_out }) => timed_out === true)
  if (reasons.size === 0 && !isLate) return undefined
  const indices = [...reasons].map(([name, reason]) => ({ name, reason }))
  return { indices: indices.sort((left, right) => left.name.localeCompare(right.name)), isLate }
}
