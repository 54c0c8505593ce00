import type { HighlightField } from '../../dsl/highlight-request.ts'

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A piece of a text and the matches in it. */
interface Passage extends Span {
  readonly spans: Span[]
}

/**
 * Cuts a text into fragments around its matches and marks these. A fragment is the sentences from the one a match stands in, as many as have its size together; of a
 * longer sentence the words before the match, as many as a fragment may have, and those after up to its size. The best are kept, in the order of the text unless it
 * is asked for the best first.
 */
export function fragmentsOf(text: string, given: readonly Span[], asked: HighlightField): string[] {
  const spans = [...given].sort((a, b) => a.from - b.from || b.to - a.to)
  const { fragmentSize, fragmentsMax, plain, byWords } = asked
  if (fragmentsMax === 0 || (fragmentSize === 0 && !byWords) || (plain && fragmentSize >= text.length))
    return [marked(text, { from: 0, to: text.length, spans }, asked)]
  const found = passages(spans, byWords && !plain ? wordsAround(text) : sentencesAround(text, asked))
  const worths = new Map(found.map((passage) => [passage, worth(text, passage)]))
  const byWorth = (a: Passage, b: Passage) => (worths.get(b) ?? 0) - (worths.get(a) ?? 0) || a.from - b.from
  const best = found.sort(byWorth).slice(0, fragmentsMax)
  if (!asked.bestFirst) best.sort((a, b) => a.from - b.from)
  return best.map((passage) => marked(text, passage, asked))
}

/** The beginning of a text that nothing was found in, to the end of the word it would be cut in. */
export function beginningOf(text: string, asked: HighlightField): string {
  const to = wordEndAfter(text, asked.noMatchSize)
  return marked(text, { from: 0, to, spans: [] }, asked)
}

function passages(spans: readonly Span[], around: (span: Span, before: number) => Span): Passage[] {
  const found: Passage[] = []
  for (const span of spans) {
    const before = found.at(-1)
    if (before && span.to <= before.to) before.spans.push(span)
    else found.push({ ...around(span, before?.to ?? 0), spans: [span] })
  }
  return found
}

/** The piece around a match that begins behind the one before: its sentence and those after it, as long as they have the size of a fragment, or a part of it. */
function sentencesAround(text: string, { fragmentSize, plain }: HighlightField) {
  const bounds = sentenceBounds(text)
  let window = { from: 0, to: 0 }
  return (span: Span, before: number): Span => {
    if (span.from >= window.to) window = sentencesFrom(bounds, span.from, fragmentSize)
    const start = Math.max(window.from, before)
    const isLong = window.to - start > fragmentSize
    // A fragment has its size up to the middle of the match.
    const first = span.from + Math.floor((span.to - span.from) / 2) - fragmentSize - 1
    const from = isLong && !plain ? Math.max(start, wordStartBefore(text, first)) : start
    const to = isLong && !plain ? Math.min(window.to, wordEndAfter(text, from + fragmentSize)) : window.to
    return { from, to: Math.max(span.to, to) }
  }
}

/** The sentence a place is in, and those after it that have at most a size together. */
function sentencesFrom(bounds: readonly number[], at: number, size: number): Span {
  const next = bounds.findIndex((bound) => bound > at)
  const from = bounds[next - 1] ?? 0
  const within = bounds.findLast((bound) => bound - from <= size) ?? 0
  return { from, to: Math.max(bounds[next] ?? at, within) }
}

/** The words a match is made of, however many letters a fragment may have. */
function wordsAround(text: string) {
  return (span: Span, before: number): Span => ({
    from: Math.max(before, wordStartBefore(text, span.from)),
    to: Math.max(span.to, wordEndAfter(text, span.from)),
  })
}

/**
 * Where a sentence ends as Java has it, unlike Unicode: at a full stop only before what may begin another one, so not before a small letter, a digit or a sign,
 * and not where a line ends.
 */
const sentenceEnd =
  /\.+[)\]"'”’»}]*(?:[ \t]*[\r\n][ \t]*[\r\n]\s*|\s+(?![\s\p{Ll}\p{Nd}\-#$*<.]|$))|[!?][.!?]*[)\]"'”’»}]*\s*|[。！？][)\]"]*\s*|\u2029/gu

/** Where sentences begin and end. */
function sentenceBounds(text: string): number[] {
  return [0, ...[...text.matchAll(sentenceEnd)].map(({ index, 0: end }) => index + end.length), text.length]
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
/** UTF-16 units in which the end of a word is looked for; a longer one is cut there. */
const wordLengthMax = 1_000

/** The first end of a word, or of what stands between words, behind a place; only the text beside it is looked at. */
function wordEndAfter(text: string, at: number): number {
  if (at >= text.length) return text.length
  const start = Math.max(0, at - wordLengthMax, text.lastIndexOf(' ', at))
  const near = text.slice(start, at + wordLengthMax)
  for (const { index, segment } of words.segment(near)) {
    const end = start + index + segment.length
    if (end > at && !isJoint(text, end) && !isJoint(text, end - 1)) return end
  }
  return start + near.length
}

/** Whether a hyphen between letters stands there, which makes one word of two. */
function isJoint(text: string, at: number): boolean {
  return text[at] === '-' && /\p{L}-\p{L}/u.test(text.slice(at - 1, at + 2))
}

/** Where the word begins in which a place is, or what stands between words. */
function wordStartBefore(text: string, at: number): number {
  if (at <= 0) return 0
  const start = Math.max(0, at - wordLengthMax, text.lastIndexOf(' ', at - 1))
  let found = start
  for (const { index } of words.segment(text.slice(start, at + wordLengthMax))) {
    const begin = start + index
    if (begin > at) break
    if (!isJoint(text, begin) && !isJoint(text, begin - 1)) found = begin
  }
  return found
}

/** Letters of a fragment as Lucene takes it for usual. */
const usualLength = 87

/** What Lucene holds a fragment worth: more different words are better than the same more often, a short one than a long one, and an early one than a late one. */
function worth(text: string, { spans, from, to }: Passage): number {
  const times = new Map<string, number>()
  for (const span of spans) {
    const word = text.slice(span.from, span.to).toLowerCase()
    times.set(word, (times.get(word) ?? 0) + 1)
  }
  const length = 1.2 * (0.25 + (0.75 * (to - from)) / usualLength)
  const sum = [...times.values()].reduce((before, each) => before + each / (each + length), 0)
  return sum * (1 + 1 / Math.log(usualLength + from))
}

function marked(text: string, { from: start, to: end, spans }: Passage, asked: HighlightField): string {
  const shown = (piece: string) => (asked.html ? escaped(piece) : piece)
  let answer = ''
  let at = start
  for (const { from, to } of withoutOverlaps(spans)) {
    answer += `${shown(text.slice(at, from))}${asked.open}${shown(text.slice(from, to))}${asked.close}`
    at = to
  }
  const whole = answer + shown(text.slice(at, end))
  return start === 0 && end === text.length ? whole.trimEnd() : whole.trim()
}

/** Spans in their order, those that lie over each other as one. */
function withoutOverlaps(spans: readonly Span[]): Span[] {
  const apart: Span[] = []
  for (const span of spans) {
    const before = apart.at(-1)
    if (before && span.from < before.to)
      apart[apart.length - 1] = { from: before.from, to: Math.max(before.to, span.to) }
    else apart.push(span)
  }
  return apart
}

const entities: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#x27;',
  '/': '&#x2F;',
}

function escaped(text: string): string {
  return text.replace(/["&<>'/]/gu, (character) => entities[character] ?? character)
}
