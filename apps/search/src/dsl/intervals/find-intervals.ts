import type { Predicate } from '@logstack/rules'

/** A piece of a text, from its first word to its last, by their places; `gaps` is how many words lie between what was asked for. */
interface Interval {
  readonly start: number
  readonly end: number
  readonly gaps: number
}

/** How two intervals must lie to each other. */
export type Relation = 'after' | 'before' | 'contained_by' | 'containing' | 'overlapping'

/** What is looked for in the words of a text. */
export type Source =
  /** A word; `found` is what every document with it meets. */
  | {
      readonly op: 'word'
      readonly path: string
      readonly found: Predicate
      readonly matches: (word: string) => boolean
    }
  | { readonly op: 'any'; readonly of: readonly Source[] }
  /** All of them, at most `gapsMax` other words between. */
  | {
      readonly op: 'all'
      readonly of: readonly Source[]
      readonly order: 'ordered' | 'unordered' | 'unordered_no_overlap'
      readonly gapsMax: number | undefined
    }
  /** Those that lie so to one of the others, or with `not` to none. */
  | {
      readonly op: 'related'
      readonly of: Source
      readonly to: Source
      readonly relation: Relation
      readonly not: boolean
    }
  /** Those that do not come near one of the others. */
  | { readonly op: 'apart'; readonly of: Source; readonly from: Source; readonly pre: number; readonly post: number }
  /** Those that a condition keeps. */
  | { readonly op: 'kept'; readonly of: Source; readonly when: (interval: Interval) => boolean }
  /** Those that end before a place. */
  | { readonly op: 'first'; readonly of: Source; readonly end: number }

/** A word of a text and its place. */
export interface PlacedWord {
  readonly word: string
  readonly place: number
}
/** The words of a document by field. */
export type WordsOf = (path: string) => readonly PlacedWord[]

/** The shortest intervals of a source, by their start. */
export function findIntervals(source: Source, words: WordsOf): readonly Interval[] {
  switch (source.op) {
    case 'word':
      return words(source.path)
        .filter(({ word }) => source.matches(word))
        .map(({ place }) => ({ start: place, end: place, gaps: 0 }))
    case 'any':
      return shortest(source.of.flatMap((each) => findIntervals(each, words)))
    case 'all': {
      const { gapsMax } = source
      // What is asked for twice is one list: each part of it counts once.
      const lists = new Map(source.of.map((each) => [each, findIntervals(each, words)]))
      const found = together(
        source.of.map((each) => lists.get(each) ?? []),
        source.order,
      )
      return gapsMax === undefined ? found : found.filter(({ gaps }) => gaps <= gapsMax)
    }
    case 'related': {
      const others = findIntervals(source.to, words)
      return findIntervals(source.of, words).filter(
        (each) => others.some((other) => relates(each, other, source.relation)) !== source.not,
      )
    }
    case 'apart': {
      const others = findIntervals(source.from, words)
      const near = (each: Interval, other: Interval) =>
        other.end >= each.start - source.pre && other.start <= each.end + source.post
      return findIntervals(source.of, words).filter((each) => !others.some((other) => near(each, other)))
    }
    case 'kept':
      return findIntervals(source.of, words).filter(source.when)
    case 'first':
      return findIntervals(source.of, words).filter(({ end }) => end < source.end)
  }
}

function relates(one: Interval, other: Interval, relation: Relation): boolean {
  switch (relation) {
    case 'after':
      return one.start > other.end
    case 'before':
      return one.end < other.start
    case 'contained_by':
      return other.start <= one.start && one.end <= other.end
    case 'containing':
      return one.start <= other.start && other.end <= one.end
    case 'overlapping':
      return one.start <= other.end && other.start <= one.end
  }
}

/** Intervals that hold one of each list. */
function together(
  lists: readonly (readonly Interval[])[],
  order: Extract<Source, { op: 'all' }>['order'],
): readonly Interval[] {
  const [only] = lists
  if (lists.length === 1 && only) return only
  if (lists.some((list) => list.length === 0)) return []
  if (order === 'ordered') return shortest(inOrder(lists))
  if (order === 'unordered') return shortest(inAnyOrder(lists))
  // Part by part: what stands within those before it overlaps them.
  return lists.reduce((before, next) => shortest([...inOrder([before, next]), ...inOrder([next, before])]))
}

/** For each first part the others as soon after it as they come. */
function inOrder([first = [], ...rest]: readonly (readonly Interval[])[]): Interval[] {
  return first.flatMap((from) => {
    let [end, gaps] = [from.end, from.gaps]
    for (const list of rest) {
      const next = soonest(list.filter(({ start }) => start > end))
      if (!next) return []
      gaps += next.gaps + next.start - end - 1
      end = next.end
    }
    return [{ start: from.start, end, gaps }]
  })
}

/** For each place where a part begins, the soonest of every list from there on; equal lists need parts of their own. */
function inAnyOrder(lists: readonly (readonly Interval[])[]): Interval[] {
  const starts = new Set(lists.flatMap((list) => list.map(({ start }) => start)))
  return [...starts].flatMap((from) => {
    const chosen: Interval[] = []
    for (const list of lists) {
      const isTaken = (each: Interval) => chosen.some((other, at) => lists[at] === list && other === each)
      const next = soonest(list.filter((each) => each.start >= from && !isTaken(each)))
      if (!next) return []
      chosen.push(next)
    }
    const [start, end] = [Math.min(...chosen.map((each) => each.start)), Math.max(...chosen.map((each) => each.end))]
    const covered = chosen.reduce((sum, each) => sum + each.end - each.start + 1 - each.gaps, 0)
    return [{ start, end, gaps: Math.max(0, end - start + 1 - covered) }]
  })
}

function soonest(intervals: readonly Interval[]): Interval | undefined {
  let best: Interval | undefined
  for (const each of intervals) if (best === undefined || each.end < best.end) best = each
  return best
}

/** Without those that hold another; the one with the fewest gaps of several alike. */
function shortest(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((a, b) => a.end - b.end || b.start - a.start || a.gaps - b.gaps)
  const kept: Interval[] = []
  let latest = -1
  for (const each of sorted) {
    if (each.start <= latest) continue
    kept.push(each)
    latest = each.start
  }
  return kept.sort((a, b) => a.start - b.start)
}
