import type { Source, WordsOf } from './find-intervals.ts'

/** A piece of a text as Lucene's spans go through it: from a place up to another, and how far apart what was asked for is in it. */
interface Span {
  readonly start: number
  /** The place behind it. */
  readonly end: number
  readonly width: number
}

/** How often a text has a span; each counts the less the further apart its words are. */
export function spanFrequency(source: Source, words: WordsOf): number {
  return findSpans(source, words).reduce((sum, { width }) => sum + 1 / (1 + width), 0)
}

/**
 * All spans of a source by their start, also those that hold another. Lucene goes through the spans of each part once, forwards only; so does this.
 */
export function findSpans(source: Source, words: WordsOf): readonly Span[] {
  switch (source.op) {
    case 'word':
      return words(source.path)
        .filter(({ word }) => source.matches(word))
        .map(({ place }) => ({ start: place, end: place + 1, width: 0 }))
        .sort(byPlace)
    case 'any':
      return source.of.flatMap((each) => findSpans(each, words)).sort(byPlace)
    case 'all': {
      const parts = source.of.map((each) => findSpans(each, words))
      const [only] = parts
      if (parts.length === 1 && only) return only
      const most = source.gapsMax ?? Number.POSITIVE_INFINITY
      return source.order === 'ordered' ? inOrder(parts, most) : inAnyOrder(parts, most)
    }
    case 'related': {
      const [of, to] = [findSpans(source.of, words), findSpans(source.to, words)]
      return source.relation === 'containing' ? containing(of, to) : within(of, to)
    }
    case 'apart': {
      const others = findSpans(source.from, words)
      return withoutNear(findSpans(source.of, words), others, source.pre, source.post)
    }
    case 'first':
      return findSpans(source.of, words).filter(({ end }) => end <= source.end)
    case 'kept':
      throw new Error('BUG: spans are kept by no condition')
  }
}

function byPlace(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end
}

/** For each first part the next of every other behind the one before. */
function inOrder([first = [], ...rest]: readonly (readonly Span[])[], gapsMax: number): Span[] {
  const places = rest.map(() => 0)
  const found: Span[] = []
  for (const from of first) {
    let { end } = from
    let width = 0
    for (const [part, list] of rest.entries()) {
      let at = places[part] ?? 0
      while ((list[at]?.start ?? end) < end) at += 1
      places[part] = at
      const next = list[at]
      if (!next) return found
      width += next.start - end
      end = next.end
    }
    if (width <= gapsMax) found.push({ start: from.start, end, width })
  }
  return found
}

/** One of each part, of which the first in the text goes on each time. */
function inAnyOrder(parts: readonly (readonly Span[])[], gapsMax: number): Span[] {
  const places = parts.map(() => 0)
  const found: Span[] = []
  for (;;) {
    const current = parts.map((list, part) => list[places[part] ?? 0])
    if (!current.every((each) => each !== undefined)) return found
    const end = Math.max(...current.map((each) => each.end))
    const covered = current.reduce((sum, each) => sum + each.end - each.start, 0)
    const foremost = current.reduce((best, each, part) => {
      const other = current[best]
      return other && byPlace(each, other) < 0 ? part : best
    }, 0)
    const start = current[foremost]?.start ?? 0
    if (end - start - covered <= gapsMax) found.push({ start, end, width: end - start })
    places[foremost] = (places[foremost] ?? 0) + 1
  }
}

/** The great ones that hold a little one. */
function containing(great: readonly Span[], little: readonly Span[]): Span[] {
  let at = 0
  return great.filter(({ start, end }) => {
    while ((little[at]?.start ?? start) < start) at += 1
    const next = little[at]
    return next !== undefined && next.end <= end
  })
}

/** The little ones that a great one holds. */
function within(little: readonly Span[], great: readonly Span[]): Span[] {
  let at = 0
  return little.filter(({ start, end }) => {
    while ((great[at]?.end ?? end) < end) at += 1
    const next = great[at]
    return next !== undefined && next.start <= start
  })
}

/** Those that none of the others comes near. */
function withoutNear(spans: readonly Span[], others: readonly Span[], pre: number, post: number): Span[] {
  let at = 0
  return spans.filter(({ start, end }) => {
    while ((others[at]?.end ?? start + 1) <= start - pre) at += 1
    const next = others[at]
    return next === undefined || end + post <= next.start
  })
}
