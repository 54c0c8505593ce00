import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, searchErrors } from '@logstack/errors'
import { type JsonText, printCompact, readJsonText } from '../../json/json-text.ts'
import { refuseDeep } from '../../json/source-json.ts'
import type { Matching, MatchingDocument } from './matching-documents.ts'
import { askRemote, isPassing, type RemoteCluster, type RemoteRequest } from './remote-cluster.ts'

/** What is looked for in another cluster. */
export interface RemoteSearch {
  readonly cluster: RemoteCluster
  /** Index expressions; empty: all. */
  readonly names: readonly string[]
  /** As the other cluster reads it. */
  readonly query: unknown
  readonly sort: unknown
  readonly source: unknown
  readonly batchSize: number
  /** How long the other cluster keeps what was found between two batches: `5m`. */
  readonly keepAlive: string
  /** Hears of every question that had to be asked again. */
  readonly onRetry: () => void
}

/** Waits before a question is asked again. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000]

type Members = Readonly<Record<string, JsonText>>

/** How the pages of a search are asked for. */
interface Paging {
  /** The request of the next page. */
  next(): RemoteRequest
  /** Takes what the answer says about the page after it. */
  taken(answer: Members, hits: readonly Members[]): void
  close(): RemoteRequest | undefined
  /** Whether asking for a page twice gives the same page. */
  readonly repeatable: boolean
}

/**
 * Finds documents in another cluster: over a point in time where it has them, so that a page that got lost on the way is asked for again and the copy
 * goes on; else with a scroll, of which a lost page ends the copy.
 */
export async function findRemote(search: RemoteSearch, signal: AbortSignal): Promise<Matching> {
  const ask = asker(search, signal)
  const version = await versionOf(ask)
  const paging = hasPointInTime(version) ? await pointInTime(search, ask) : scrolling(search, version)
  try {
    const first = await page(paging, ask)
    return { total: totalOf(first.answer), batches: () => batches(first, paging, ask, search) }
  } catch (thrown) {
    await closeQuietly(paging, search)
    throw thrown
  }
}

type Ask = (request: RemoteRequest, repeatable: boolean) => Promise<Members>

function asker({ cluster, onRetry }: RemoteSearch, signal: AbortSignal): Ask {
  return async (request, repeatable) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return read(await askRemote(cluster, request, signal))
      } catch (thrown) {
        const pauseMs = pausesMs[attempt]
        if (!repeatable || pauseMs === undefined || !isPassing(thrown)) throw thrown
        onRetry()
        await sleep(pauseMs, undefined, { signal })
      }
    }
  }
}

function read(text: string): Members {
  refuseDeep(text)
  try {
    // The tree takes JSON for granted.
    JSON.parse(text)
  } catch (thrown) {
    const reason = 'the other cluster answered with something that is no JSON: is it one?'
    throw new AppError(searchErrors.x_content_parse_exception, reason, { cause: thrown })
  }
  return membersOf(readJsonText(text))
}

function membersOf(node: JsonText | undefined): Members {
  return node?.kind === 'object' ? Object.fromEntries(node.entries) : {}
}

/** Any value; numbers that are not exact here stay what `JSON.parse` makes of them. */
function plain(node: JsonText | undefined): unknown {
  return node === undefined ? undefined : (JSON.parse(printCompact(node)) as unknown)
}

interface Version {
  readonly isOpenSearch: boolean
  readonly major: number
  readonly minor: number
}

async function versionOf(ask: Ask): Promise<Version> {
  const version = membersOf((await ask({ method: 'GET', path: '/' }, true))['version'])
  const [major = 0, minor = 0] = String(plain(version['number'])).split('.').map(Number)
  return { isOpenSearch: plain(version['distribution']) === 'opensearch', major, minor }
}

/** Elasticsearch has points in time whose order needs no field since 7.12, and so has logstack; OpenSearch's need one. */
function hasPointInTime({ isOpenSearch, major, minor }: Version): boolean {
  return !isOpenSearch && (major > 7 || (major === 7 && minor >= 12))
}

function bodyOf({ query, source, batchSize }: RemoteSearch): Record<string, unknown> {
  return {
    size: batchSize,
    version: true,
    _source: source ?? true,
    ...(query === undefined ? {} : { query }),
  }
}

function pathOf({ names }: RemoteSearch): string {
  return names.length === 0 ? '' : `/${names.map(encodeURIComponent).join(',')}`
}

async function pointInTime(search: RemoteSearch, ask: Ask): Promise<Paging> {
  const { keepAlive } = search
  const open = { method: 'POST', path: `${pathOf(search) || '/_all'}/_pit?keep_alive=${keepAlive}` } as const
  let id = plain((await ask(open, true))['id'])
  let after: JsonText | undefined
  const sort = [...[search.sort ?? []].flat(), { _shard_doc: 'asc' }]
  return {
    repeatable: true,
    next() {
      const pit = { id, keep_alive: keepAlive }
      // Only the first page counts.
      const counted = after === undefined
      const body = JSON.stringify({ ...bodyOf(search), pit, sort, track_total_hits: counted })
      // As it was written: numbers beyond 2^53 are places, too.
      const place = after === undefined ? '' : `,"search_after":${printCompact(after)}`
      return { method: 'POST', path: '/_search', body: `${body.slice(0, -1)}${place}}` }
    },
    taken(answer, hits) {
      id = plain(answer['pit_id']) ?? id
      const last = hits.at(-1)?.['sort']
      if (last?.kind === 'array') after = last
    },
    close: () => ({ method: 'DELETE', path: '/_pit', body: JSON.stringify({ id }) }),
  }
}

function scrolling(search: RemoteSearch, { isOpenSearch, major }: Version): Paging {
  const { keepAlive } = search
  // Older ones count everything and know no such member.
  const counted = isOpenSearch || major >= 6 ? { track_total_hits: true } : {}
  let id: unknown
  return {
    // A scroll moves on whether its page arrives or not.
    repeatable: false,
    next() {
      if (id !== undefined)
        return { method: 'POST', path: '/_search/scroll', body: JSON.stringify({ scroll: keepAlive, scroll_id: id }) }
      const path = `${pathOf(search)}/_search?scroll=${keepAlive}`
      return {
        method: 'POST',
        path,
        body: JSON.stringify({ ...bodyOf(search), ...counted, sort: search.sort ?? ['_doc'] }),
      }
    },
    taken(answer) {
      id = plain(answer['_scroll_id']) ?? id
    },
    close: () =>
      id === undefined
        ? undefined
        : { method: 'DELETE', path: '/_search/scroll', body: JSON.stringify({ scroll_id: [id] }) },
  }
}

interface Page {
  readonly answer: Members
  readonly hits: readonly Members[]
}

async function page(paging: Paging, ask: Ask): Promise<Page> {
  const answer = await ask(paging.next(), paging.repeatable)
  checkWhole(answer)
  const found = membersOf(answer['hits'])['hits']
  const hits = found?.kind === 'array' ? found.items.map(membersOf) : []
  paging.taken(answer, hits)
  return { answer, hits }
}

/** A search that reached some shards only would leave documents behind. */
function checkWhole(answer: Members): void {
  const failed = Number(plain(membersOf(answer['_shards'])['failed']) ?? 0)
  if (plain(answer['timed_out']) !== true && failed === 0) return
  const reason = `the other cluster could search a part only: [${failed}] shards failed`
  throw new AppError(searchErrors.search_phase_execution_exception, reason)
}

function totalOf(answer: Members): number {
  const total = plain(membersOf(answer['hits'])['total'])
  return typeof total === 'number' ? total : Number((total as { value?: unknown } | undefined)?.value ?? 0)
}

async function* batches(
  first: Page,
  paging: Paging,
  ask: Ask,
  search: RemoteSearch,
): AsyncGenerator<MatchingDocument[]> {
  try {
    for (let { hits } = first; hits.length > 0; { hits } = await page(paging, ask)) yield hits.map(documentOf)
  } finally {
    await closeQuietly(paging, search)
  }
}

function documentOf(hit: Members): MatchingDocument {
  const [index, id] = [String(plain(hit['_index'])), String(plain(hit['_id']))]
  const { _source: source } = hit
  if (source === undefined)
    throw new AppError(searchErrors.illegal_argument_exception, `[${index}][${id}] didn't store _source`)
  return {
    index: { name: index, mapping: {} },
    id,
    seqNo: 0,
    version: Number(plain(hit['_version']) ?? 1),
    routing: String(plain(hit['_routing']) ?? ''),
    source: Buffer.from(printCompact(source)),
  }
}

/** What the other cluster keeps goes by itself after a while; that it could not be told must not hide why a copy ended. */
async function closeQuietly(paging: Paging, { cluster }: RemoteSearch): Promise<void> {
  const request = paging.close()
  if (request) await askRemote(cluster, request, AbortSignal.timeout(5_000)).catch(() => undefined)
}
