import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A request as it is sent; an object as body is sent as JSON, a text as it is. */
interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request and what Elasticsearch answered; `differs` says why ours is another answer. */
export interface Exchange {
  readonly request: RecordedRequest
  readonly status: number
  readonly answer: unknown
  readonly differs?: string
  /** Members of the answer that are made by chance, by the names that stand for them, as `<name>`, in later requests and in all answers. */
  readonly keep?: Readonly<Record<string, string>>
}

/** A file of `recorded/`. */
export interface Recording {
  readonly about: string
  /** The version of Elasticsearch that was asked. */
  readonly server: string
  /** The name of the recording that is played before. */
  readonly after?: string
  readonly exchanges: readonly Exchange[]
}

/** The path of a recording by its name. */
export function recordingPath(name: string): string {
  return fileURLToPath(new URL(`./recorded/${name}.json`, import.meta.url))
}

/** Reads a recording by its path. */
export function readRecording(path: string): Recording {
  return JSON.parse(readFileSync(path, 'utf8')) as Recording
}

/** The body of a request as text; undefined without one. */
export function bodyText({ body }: RecordedRequest): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
}

/** The headers of a request: the type of its body is that of its path unless it says another one, and an empty one is none. */
export function headersOf({ path, body, headers }: RecordedRequest): Record<string, string> {
  const lines = /_bulk|_msearch/u.test(path)
  const type = lines ? 'application/x-ndjson' : 'application/json'
  const all = { ...(body === undefined ? {} : { 'content-type': type }), ...headers }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** What answers gave that later requests name: ids, keys and tokens. */
export class Kept {
  readonly #values = new Map<string, string>()

  /** A text of a request with the values in their names' places. */
  filled(text: string): string {
    return text.replace(/<(\w+)>/gu, (whole, name: string) => this.#values.get(name) ?? whole)
  }

  /** The answer to an exchange with names in the values' places, and those that the exchange keeps. */
  named({ keep = {} }: Pick<Exchange, 'keep'>, answer: unknown): unknown {
    for (const [name, member] of Object.entries(keep)) {
      const value = isObject(answer) ? answer[member] : undefined
      if (typeof value === 'string') this.#values.set(name, value)
    }
    let text = JSON.stringify(answer)
    for (const [name, value] of this.#values) text = text.replaceAll(value, `<${name}>`)
    return JSON.parse(text)
  }
}

/** Members that are not compared, wherever they stand, with the reason. */
const notCompared: Readonly<Record<string, string>> = {
  took: 'the time it took',
  documents_found: 'ours does not count what ES|QL reads',
  values_loaded: 'ours does not count what ES|QL reads',
  ingest_took: 'the time it took',
  _node: 'the name of a node',
  node: 'the name of a node',
  nodes: 'the names and addresses of nodes',
  cluster_name: 'the name of the cluster',
  uuid: 'made by chance',
  index_uuid: 'made by chance',
  _scroll_id: 'made by chance',
  pit_id: 'made by chance',
  creation_date: 'the time it was made',
  creation: 'the time it was made',
  expiration: 'counted from the time it was made',
  invalidation: 'the time it was ended',
  created_date_millis: 'the time it was made',
  modified_date_millis: 'the time it was made',
  created: 'the version of the index, one behind in ours',
  shard: 'refusals name no shard here: an index is one',
  _shards: 'copies are counted otherwise; failures are compared',
  stack_trace: 'the classes of Java',
  seed: 'made by chance',
}

/** What of an answer is compared: without what two servers cannot have alike, and without the places in the text of a request, which are not known here when it is refused. */
export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return withoutPlaces(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const isError = 'type' in value && 'reason' in value
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (isError && (name === 'line' || name === 'col')) return []
    if (name === '_shards') return inner?.failures ? [[name, comparable({ failures: inner.failures })]] : []
    if (name === '_sort' && Array.isArray(inner)) return [[name, inner.map(withoutTime)]]
    if (name === '_id' && typeof inner === 'string' && /^[\w-]{20}$/u.test(inner)) return [[name, 'made by chance']]
    return name in notCompared ? [] : [[name, comparable(inner)]]
  })
  return Object.fromEntries(entries)
}

/** Keys and users that are asked for in an order may be sorted by the time they were made, in milliseconds. */
function withoutTime(value: unknown): unknown {
  return typeof value === 'number' && isTime(value) ? 'the time it was made' : comparable(value)
}

/** From 2001 to 2286. */
const isTime = (value: number) => value > 1e12 && value < 1e13

function withoutPlaces(text: string): string {
  return text
    .replace(/\[\d+:\d+\] /gu, '')
    .replace(/ at \[\d+:\d+\]/gu, '')
    .replace(/\n at \[Source: .*\]$/su, '')
    .replace(/(\[(?:ex|mine)-[^/\]]*)\/[\w-]{22}\]/gu, '$1]')
}

/**
 * How far two numbers of one answer may be apart, as a part of the greater one: sums in another order, and floats of 32 bits. Times are the same to the
 * millisecond: one of the day of the recording would be near for five hours, and fail every run from then on.
 */
const apartMax = 1e-5

/** Where two comparable answers differ, at most a few places; empty when they are the same. */
export function differences(theirs: unknown, ours: unknown, path = ''): readonly string[] {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    const size = Math.max(Math.abs(theirs), Math.abs(ours), 1e-3)
    const most = isTime(theirs) ? 0 : apartMax * size
    return Math.abs(theirs - ours) <= most ? [] : [`${path}: ${ours} instead of ${theirs}`]
  }
  if (isObject(theirs) && isObject(ours) && Array.isArray(theirs) === Array.isArray(ours)) {
    const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
    return [...names].flatMap((name) => differences(theirs[name], ours[name], `${path}.${name}`)).slice(0, 5)
  }
  return theirs === ours ? [] : [`${path}: ${shortened(ours)} instead of ${shortened(theirs)}`]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function shortened(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 300)
}
