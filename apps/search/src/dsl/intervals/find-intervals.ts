import type { Predicate } from '@logstack/rules'
import { usedUp } from '../../painless/script-run.ts'
import { illegalArgument } from '../../refusals/refuse.ts'

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

/**
 * The shortest intervals of a source, by their start and so by their end too: what is looked for among them is found by halves, as texts have tens of
 * thousands of words. Throws `illegal_argument_exception` where the time of a script is over.
 */
export function findIntervals(source: Source, words: WordsOf): readonly Interval[] {
  switch (source.op) {
    case 'word':
      return words(source.path)
        .filter(({ word }) => source.matches(word))
        .map(({ place }) => ({ start: place, end: place, gaps: 0 }))
        .sort((a, b) => a.start - b.start)
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
      return findIntervals(source.of, words).filter((each) => relates(each, others, source.relation) !== source.not)
    }
    case 'apart': {
      const others = findIntervals(source.from, words)
      return findIntervals(source.of, words).filter(
        ({ start, end }) => !isOver(others, start - source.pre, end + source.post),
      )
    }
    case 'kept':
      return findIntervals(source.of, words).filter(source.when)
    case 'first':
      return findIntervals(source.of, words).filter(({ end }) => end < source.end)
  }
}

/** How often a text has an interval of a source; each counts the less the longer it is than it would have to be. */
export function intervalFrequency(source: Source, words: WordsOf): number {
  const least = leastLength(source)
  return findIntervals(source, words).reduce((sum, { start, end }) => sum + 1 / Math.max(1, end - start + 2 - least), 0)
}

/** How many words an interval of a source has at least. */
function leastLength(source: Source): number {
  switch (source.op) {
    case 'word':
      return 1
    case 'any':
      return source.of.reduce((least, each) => Math.min(least, leastLength(each)), Number.POSITIVE_INFINITY)
    case 'all': {
      // A word that is asked for several times counts once.
      const apart =
        source.order === 'ordered'
          ? source.of.filter((each, at) => each !== source.of[at - 1])
          : [...new Set(source.of)]
      return apart.reduce((sum, each) => sum + leastLength(each), 0)
    }
    default:
      return leastLength(source.of)
  }
}

/** Whether any of the others lies so to an interval. */
function relates({ start, end }: Interval, others: readonly Interval[], relation: Relation): boolean {
  switch (relation) {
    case 'after':
      return others.length > 0 && start > (others[0]?.end ?? 0)
    case 'before':
      return others.length > 0 && end < (others.at(-1)?.start ?? 0)
    case 'contained_by':
      // Of those that begin no later the last one ends last.
      return (others[firstFrom(others, start + 1) - 1]?.end ?? -1) >= end
    case 'containing':
      // Of those that begin no sooner the first one ends first.
      return (others[firstFrom(others, start)]?.end ?? Number.POSITIVE_INFINITY) <= end
    case 'overlapping':
      return isOver(others, start, end)
  }
}

/** Whether any interval has a place from `from` to `to`. */
function isOver(intervals: readonly Interval[], from: number, to: number): boolean {
  return (intervals[firstFrom(intervals, to + 1) - 1]?.end ?? Number.NEGATIVE_INFINITY) >= from
}

/** Where the first of a list stands that begins at a place or behind it. */
function firstFrom(intervals: readonly Interval[], start: number): number {
  let [low, high] = [0, intervals.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((intervals[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
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
    checkTime()
    let [end, gaps] = [from.end, from.gaps]
    for (const list of rest) {
      const next = list[firstFrom(list, end + 1)]
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
    checkTime()
    let [start, end, covered] = [Number.POSITIVE_INFINITY, 0, 0]
    const places = new Map<readonly Interval[], number>()
    for (const list of lists) {
      const at = places.get(list) ?? firstFrom(list, from)
      places.set(list, at + 1)
      const next = list[at]
      if (!next) return []
      start = Math.min(start, next.start)
      end = Math.max(end, next.end)
      covered += next.end - next.start + 1 - next.gaps
    }
    return [{ start, end, gaps: Math.max(0, end - start + 1 - covered) }]
  })
}

/** Many parts in a long text take longer than others can wait. */
function checkTime(): void {
  if (usedUp() !== undefined) throw illegalArgument('the intervals of a document take too long to be found')
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
