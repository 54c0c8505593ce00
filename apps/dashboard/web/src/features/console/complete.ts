import { type BodyPlace, placeAtEnd } from './body-place.ts'
import { bodyRuleOf, fieldValued, ruleAt } from './body-rules.ts'
import { parseRequests, requestAt } from './parse-requests.ts'
import words from './search-words.json'

/** What is known of search while requests are written. */
export interface KnownNames {
  /** Indices, aliases and data streams. */
  readonly indices: readonly string[]
  /** Fields of the indices that the request names. */
  readonly fields: readonly string[]
}

/** What may be written at the cursor, from `from` on. */
export interface Completion {
  readonly from: number
  readonly kind: 'method' | 'path' | 'parameter' | 'key' | 'value'
  /** Whether the word stands in quotes already; keys and values that do not are given them. */
  readonly quoted: boolean
  readonly options: readonly string[]
}

interface Endpoint {
  readonly methods: readonly string[]
  readonly segments: readonly string[]
  readonly parameters: readonly string[]
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD']
const endpoints: readonly Endpoint[] = words.endpoints.map((line) => {
  const [names = '', path = '', parameters = ''] = line.split(' ')
  return { methods: names.split(','), segments: path.slice(1).split('/'), parameters: parameters.split(',') }
})
const requestLine = /^\s*(GET|POST|PUT|DELETE|HEAD)\s+(\S*)$/i
const values: Readonly<Record<string, readonly string[]>> = {
  order: ['asc', 'desc'],
  operator: ['and', 'or'],
  default_operator: ['and', 'or'],
  calendar_interval: ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  fixed_interval: ['10s', '1m', '10m', '1h', '1d'],
  type: words.fieldTypes,
}

/** The names of indices that the request at an offset is about; undefined where it names none. */
export function indexAt(text: string, offset: number): string | undefined {
  const [first = ''] = pathAt(text, offset)?.split('/') ?? []
  return first === '' || first.startsWith('_') ? undefined : first
}

/** What may come at an offset of the console's text; undefined where nothing is known. */
export function completionAt(text: string, offset: number, known: KnownNames): Completion | undefined {
  const before = text.slice(0, offset)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const found = requestLine.exec(line)
  if (found) return pathCompletion((found[1] ?? '').toUpperCase(), found[2] ?? '', offset, known)
  if (/^[a-z]+$/i.test(line)) return { from: offset - line.length, kind: 'method', quoted: false, options: methods }
  return bodyCompletion(text, offset, known)
}

function pathAt(text: string, offset: number): string | undefined {
  const line = text.slice(0, offset).split('\n').length - 1
  const request = requestAt(parseRequests(text), line)
  return request && request.firstLine <= line ? bare(request.path) : undefined
}

function bare(path: string): string {
  return (path.split('?')[0] ?? '').replace(/^\/|\/$/g, '')
}

function pathCompletion(method: string, typed: string, offset: number, known: KnownNames): Completion | undefined {
  const [path = '', ...query] = typed.split('?')
  const segments = path.replace(/^\//, '').split('/')
  const fitting = endpoints.filter((endpoint) => endpoint.methods.includes(method))
  if (query.length > 0) {
    const last = typed.split(/[?&]/).at(-1) ?? ''
    if (last.includes('=')) return undefined
    const meant = fitting.filter((one) => one.segments.length === segments.length && fits(one.segments, segments))
    const names = [...meant.flatMap(({ parameters }) => parameters), ...words.commonParameters.split(',')]
    return { from: offset - last.length, kind: 'parameter', quoted: false, options: distinct(names) }
  }
  const above = segments.slice(0, -1)
  const next = fitting
    .filter((one) => one.segments.length > above.length && fits(one.segments.slice(0, above.length), above))
    .flatMap((one) => nextWords(one.segments.slice(above.length), known))
  return { from: offset - (segments.at(-1) ?? '').length, kind: 'path', quoted: false, options: distinct(next) }
}

/** The rest of an endpoint's path as far as it is the same for everybody, or the names that may stand next. */
function nextWords([first = '', ...others]: readonly string[], known: KnownNames): readonly string[] {
  if (first === '{index}') return known.indices
  if (isName(first)) return []
  const end = others.findIndex(isName)
  return [[first, ...(end < 0 ? others : others.slice(0, end))].join('/')]
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, at) => {
    const segment = segments[at] ?? ''
    if (part === '{index}') return segment !== '' && !segment.startsWith('_')
    return isName(part) ? segment !== '' : part === segment
  })
}

function isName(segment: string): boolean {
  return segment.startsWith('{')
}

function bodyCompletion(text: string, offset: number, known: KnownNames): Completion | undefined {
  const line = text.slice(0, offset).split('\n').length - 1
  const request = requestAt(parseRequests(text), line)
  if (!request || request.firstLine >= line) return undefined
  const root = bodyRuleOf(bare(request.path))
  const start = offsetOfLine(text, request.firstLine + 1)
  const place = placeAtEnd(text.slice(start, offset), start)
  if (!place || root === undefined) return undefined
  const options = place.kind === 'key' ? keysAt(root, place, known) : valuesAt(place, known)
  return options.length === 0 ? undefined : { from: place.from, kind: place.kind, quoted: place.quoted, options }
}

function keysAt(root: string, { path }: BodyPlace, known: KnownNames): readonly string[] {
  const rule = ruleAt(root, path)
  if (rule?.byField !== undefined) return known.fields
  return Object.keys(rule?.keys ?? {})
}

function valuesAt({ key = '' }: BodyPlace, known: KnownNames): readonly string[] {
  if (fieldValued.has(key)) return known.fields
  return key === 'index' ? known.indices : (values[key] ?? [])
}

function offsetOfLine(text: string, line: number): number {
  return text
    .split('\n')
    .slice(0, line)
    .reduce((sum, one) => sum + one.length + 1, 0)
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').sort()
}
