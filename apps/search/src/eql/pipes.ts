import type { Pipe } from '@logstack/eql'

/** Which of the matches are looked for, and what is left of those. */
export interface Window {
  readonly position: 'head' | 'tail'
  readonly count: number
  /** What the other pipes leave of what was found, which is in the order of time. */
  within<Match>(found: readonly Match[]): readonly Match[]
}

/** What pipes and the size of a request, which acts like a last pipe, come to together. */
export function windowOf(
  pipes: readonly Pipe[],
  { size, position }: { readonly size: number; readonly position: 'head' | 'tail' },
): Window {
  const steps: { name: Pipe['name']; count: number }[] = []
  for (const { name, count } of [...pipes, { name: position, count: size }]) {
    const last = steps.at(-1)
    if (last?.name === name) last.count = Math.min(last.count, count)
    else steps.push({ name, count })
  }
  const [first, ...rest] = steps
  return {
    position: first?.name ?? position,
    count: first?.count ?? size,
    within: (found) =>
      rest.reduce(
        (left, { name, count }) =>
          name === 'head' ? left.slice(0, count) : left.slice(Math.max(0, left.length - count)),
        found,
      ),
  }
}
