import type { UnitStatus } from '@logstack/contracts'

/** How the files of a stream are doing, as its state says it. */
export function streamState(from: {
  readonly followed: number
  /** Paths, each with the reason. */
  readonly unreadable: readonly (readonly [path: string, reason: string])[]
  /** How many fit beyond those that can be followed. */
  readonly left: number
  /** Files that are left to the journal. */
  readonly copies: readonly string[]
}): { readonly status: UnitStatus; readonly message: string } {
  const { followed, left, copies } = from
  const [unreadable] = from.unreadable
  if (unreadable) return { status: 'DEGRADED', message: `cannot read ${unreadable[0]}: ${unreadable[1]}` }
  if (left > 0) {
    const message = `following the ${followed} files that were written to last; ${left} more fit and are left: narrow paths, or exclude some`
    return { status: 'DEGRADED', message }
  }
  const toJournal = copies.length > 0 ? `; left to the journal: ${copies.join(', ')}` : ''
  return { status: 'HEALTHY', message: `following ${followed} files${toJournal}` }
}
