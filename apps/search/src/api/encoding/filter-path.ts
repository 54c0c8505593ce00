import { fitsStars } from '@logstack/rules'
import type { JsonText } from '../../json/json-text.ts'

/** One pattern of `filter_path`, split at its dots (`\.` is a dot inside a name). */
type Segments = readonly string[]

/** The patterns of a `filter_path`: what to keep (nothing given: all), and what to drop from it (written `-name`). */
export interface PathFilter {
  readonly include: readonly Segments[]
  readonly exclude: readonly Segments[]
}

/** Reads the comma-separated patterns of `filter_path`; undefined when it names nothing. */
export function readPathFilter(text: string): PathFilter | undefined {
  const patterns = text
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '' && pattern !== '-')
  if (patterns.length === 0) return undefined
  const split = (pattern: string): string[] =>
    pattern
      .replaceAll('\\.', '\0')
      .split('.')
      .map((segment) => segment.replaceAll('\0', '.'))
  return {
    include: patterns.filter((pattern) => !pattern.startsWith('-')).map(split),
    exclude: patterns.filter((pattern) => pattern.startsWith('-')).map((pattern) => split(pattern.slice(1))),
  }
}

/** A pattern and the segment of it that comes next. */
interface Place {
  readonly pattern: Segments
  readonly at: number
}

function begin(pattern: Segments): Place {
  return { pattern, at: 0 }
}

/** Keeps the parts of an answer that a filter asks for; objects and lists left empty go, but the answer itself stays an object. */
export function applyPathFilter(node: JsonText, filter: PathFilter): JsonText {
  const kept = filter.include.length > 0 ? include(node, filter.include.map(begin)) : node
  const left = kept && filter.exclude.length > 0 ? exclude(kept, filter.exclude.map(begin)) : kept
  return left ?? (node.kind === 'array' ? { kind: 'array', items: [] } : { kind: 'object', entries: [] })
}

function include(node: JsonText, patterns: readonly Place[]): JsonText | undefined {
  if (node.kind === 'scalar') return undefined
  if (node.kind === 'array') return items(node.items, (item) => include(item, patterns))
  const entries: [string, JsonText][] = []
  for (const [name, value] of node.entries) {
    const next = advance(patterns, name)
    const kept = next.some(isWhole) ? value : next.length > 0 ? include(value, next) : undefined
    if (kept) entries.push([name, kept])
  }
  return entries.length > 0 ? { kind: 'object', entries } : undefined
}

function exclude(node: JsonText, patterns: readonly Place[]): JsonText | undefined {
  if (node.kind === 'scalar') return node
  if (node.kind === 'array') return items(node.items, (item) => exclude(item, patterns))
  const entries: [string, JsonText][] = []
  for (const [name, value] of node.entries) {
    const next = advance(patterns, name)
    if (next.some(isWhole)) continue
    const kept = next.length > 0 ? exclude(value, next) : value
    if (kept) entries.push([name, kept])
  }
  return entries.length > 0 || node.entries.length === 0 ? { kind: 'object', entries } : undefined
}

function items(of: readonly JsonText[], keep: (item: JsonText) => JsonText | undefined): JsonText | undefined {
  const kept = of.map(keep).filter((item) => item !== undefined)
  return kept.length > 0 || of.length === 0 ? { kind: 'array', items: kept } : undefined
}

/** What is left of the patterns below a name, each once; a place after the end means the name itself is meant. */
function advance(places: readonly Place[], name: string): Place[] {
  const next = new Map<Segments, Set<number>>()
  const add = (pattern: Segments, at: number) => next.set(pattern, (next.get(pattern) ?? new Set<number>()).add(at))
  for (const { pattern, at } of places) {
    // Any depth may also be none: what follows may begin at this very name.
    for (let here = at; ; here++) {
      const segment = pattern[here]
      if (segment === '**') {
        add(pattern, here)
        if (here + 1 === pattern.length) add(pattern, here + 1)
        continue
      }
      if (segment !== undefined && fitsStars(name, segment)) add(pattern, here + 1)
      break
    }
  }
  return [...next].flatMap(([pattern, found]) => [...found].map((at) => ({ pattern, at })))
}

function isWhole({ pattern, at }: Place): boolean {
  return at === pattern.length
}
