import type { JsonText } from './json-text.ts'

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

/** Keeps the parts of an answer that a filter asks for; objects and lists left empty go, but the answer itself stays an object. */
export function applyPathFilter(node: JsonText, filter: PathFilter): JsonText {
  const kept = filter.include.length > 0 ? include(node, filter.include) : node
  const left = kept && filter.exclude.length > 0 ? exclude(kept, filter.exclude) : kept
  return left ?? (node.kind === 'array' ? { kind: 'array', items: [] } : { kind: 'object', entries: [] })
}

function include(node: JsonText, patterns: readonly Segments[]): JsonText | undefined {
  if (node.kind === 'scalar') return undefined
  if (node.kind === 'array') return items(node.items, (item) => include(item, patterns))
  const entries: [string, JsonText][] = []
  for (const [name, value] of node.entries) {
    const next = advance(patterns, name)
    const kept = next.some((rest) => rest.length === 0) ? value : next.length > 0 ? include(value, next) : undefined
    if (kept) entries.push([name, kept])
  }
  return entries.length > 0 ? { kind: 'object', entries } : undefined
}

function exclude(node: JsonText, patterns: readonly Segments[]): JsonText | undefined {
  if (node.kind === 'scalar') return node
  if (node.kind === 'array') return items(node.items, (item) => exclude(item, patterns))
  const entries: [string, JsonText][] = []
  for (const [name, value] of node.entries) {
    const next = advance(patterns, name)
    if (next.some((rest) => rest.length === 0)) continue
    const kept = next.length > 0 ? exclude(value, next) : value
    if (kept) entries.push([name, kept])
  }
  return entries.length > 0 || node.entries.length === 0 ? { kind: 'object', entries } : undefined
}

function items(of: readonly JsonText[], keep: (item: JsonText) => JsonText | undefined): JsonText | undefined {
  const kept = of.map(keep).filter((item) => item !== undefined)
  return kept.length > 0 || of.length === 0 ? { kind: 'array', items: kept } : undefined
}

/** What is left of the patterns below a name; an empty rest means the name itself is meant. */
function advance(patterns: readonly Segments[], name: string): Segments[] {
  const next: Segments[] = []
  for (const pattern of patterns) {
    const [first, ...rest] = pattern
    if (first === '**') {
      next.push(pattern)
      // Any depth may also be none: the rest of the pattern may begin at this very name.
      next.push(...(rest.length === 0 ? [[]] : advance([rest], name)))
    } else if (first !== undefined && matches(first, name)) next.push(rest)
  }
  return next
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const source = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`, 's').test(name)
}
