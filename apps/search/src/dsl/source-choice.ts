import { fitsStars } from '@logstack/rules'
import { scalarText } from '../values/scalar-text.ts'

/** Which parts of a source are shown: paths with `*`; an included object is shown whole. */
export interface SourceFilter {
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

type Keep = (path: string) => 'all' | 'inside' | 'none'

/** What of a document is shown: `true` all of it, `false` nothing. */
export type SourceChoice = boolean | SourceFilter

/** Reads `_source`, `_source_includes` and `_source_excludes` of a query string; undefined when none is given. */
export function sourceChoice(query: Readonly<Record<string, unknown>>): SourceChoice | undefined {
  const list = (name: string): string[] => (query[name] as string[] | undefined) ?? []
  const source = list('_source')
  const includes = list('_source_includes')
  const excludes = list('_source_excludes')
  if (source.length === 1 && source[0] === 'false') return false
  const named = source.filter((path) => path !== 'true')
  if (named.length + includes.length + excludes.length > 0) return { includes: [...named, ...includes], excludes }
  return query['_source'] === undefined ? undefined : true
}

/** Reads `_source` of a body: a boolean, a path, a list of paths, or `includes` and `excludes`. */
export function bodySourceChoice(given: unknown): SourceChoice | undefined {
  if (given === undefined || typeof given === 'boolean') return given
  if (given === 'true' || given === 'false') return given === 'true'
  const texts = (value: unknown): string[] =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(scalarText)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { includes: texts(given), excludes: [] }
  const { includes, include = includes, excludes, exclude = excludes } = given as Readonly<Record<string, unknown>>
  return { includes: texts(include), excludes: texts(exclude) }
}

/** The bytes of a source as chosen; undefined when nothing is shown. Whole sources are not parsed. */
export function shownSource(source: Buffer, choice: SourceChoice): Buffer | undefined {
  if (choice === false) return undefined
  if (choice === true || choice.includes.length + choice.excludes.length === 0) return source
  return Buffer.from(changeSourceText(source.toString('utf8'), (parsed) => filterSource(parsed, choice)))
}

/** Source as JSON after a change that leaves parts out; numbers keep the text they were written with. */
export function changeSourceText(
  source: string,
  change: (parsed: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): string {
  const numbers: string[] = []
  // Every number becomes a text that cannot be anything else, so that parsing does not round it.
  const marked = source.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu, (token) => {
    if (token.startsWith('"')) return token
    numbers.push(token)
    return `"\\u0000${numbers.length - 1}"`
  })
  const kept = JSON.stringify(change(JSON.parse(marked) as Readonly<Record<string, unknown>>))
  return kept.replace(/"\\u0000(\d+)"/gu, (_whole, at: string) => numbers[Number(at)] ?? 'null')
}

/** A copy of a source with only the chosen parts. */
export function filterSource(source: Readonly<Record<string, unknown>>, filter: SourceFilter): Record<string, unknown> {
  const included = matcher(filter.includes.length > 0 ? filter.includes : ['*'])
  const excluded = matcher(filter.excludes)
  return copyObject(source, '', included, excluded, false) ?? {}
}

function matcher(paths: readonly string[]): Keep {
  const patterns = paths.map((path) => path.split('.'))
  return (path) => {
    const segments = path.split('.')
    let inside = false
    for (const pattern of patterns) {
      const reach = match(pattern, segments)
      if (reach === 'all') return 'all'
      inside ||= reach === 'inside'
    }
    return inside ? 'inside' : 'none'
  }
}

/** `*` of a pattern also reaches over dots, so a star at the end takes everything below. */
function match(pattern: readonly string[], segments: readonly string[]): 'all' | 'inside' | 'none' {
  const shared = Math.min(pattern.length, segments.length)
  for (let at = 0; at < shared; at++) {
    const piece = pattern[at] ?? ''
    if (fitsStars(segments[at] ?? '', piece)) continue
    return piece.startsWith('*') && at < pattern.length - 1 ? 'inside' : 'none'
  }
  return pattern.length <= segments.length ? 'all' : 'inside'
}

function copyObject(
  source: Readonly<Record<string, unknown>>,
  prefix: string,
  included: Keep,
  excluded: Keep,
  wholly: boolean,
): Record<string, unknown> | undefined {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const path = prefix + key
    const keep = wholly ? 'all' : included(path)
    if (keep === 'none' || excluded(path) === 'all') continue
    const kept = copyValue(value, `${path}.`, included, excluded, keep === 'all')
    if (kept !== undefined) copy[key] = kept
  }
  return Object.keys(copy).length > 0 || wholly ? copy : undefined
}

function copyValue(value: unknown, prefix: string, included: Keep, excluded: Keep, wholly: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value
      .map((item: unknown) => copyValue(item, prefix, included, excluded, wholly))
      .filter((item) => item !== undefined)
    return wholly || items.length > 0 ? items : undefined
  }
  if (typeof value === 'object' && value !== null) {
    return copyObject(value as Readonly<Record<string, unknown>>, prefix, included, excluded, wholly)
  }
  return wholly ? value : undefined
}
