import { AppError, operatorErrors } from '@logstack/errors'
import { type BulkResult, type SearchClient, sendBulk } from '@logstack/search-client'
import type { StepProgress } from '../steps/define-step.ts'

interface Hit {
  readonly _id: string
  readonly _source: unknown
}

interface Page {
  readonly _scroll_id: string
  readonly hits: { readonly hits: readonly Hit[] }
}

const pageSize = 500
/** Writes that began before the block may end while a copy is made: another copy follows then. */
const copiesMax = 5
const block = 'index.blocks.read_only_allow_delete'
/** A copy takes whatever fields there are. */
const fieldsMax = 100_000

const prefix = 'set-aside-'

/** Where the documents of an index wait until what its template makes has taken them; no shipped template is for such a name. */
export function asideOf(name: string): string {
  return `${prefix}${name}`
}

/** The name whose documents an index holds that was set aside; undefined of every other index. */
export function setAsideFor(index: string): string | undefined {
  return index.startsWith(prefix) ? index.slice(prefix.length) : undefined
}

/** The documents that were not taken back, as their index notes them in its `_meta`. */
export interface Left {
  readonly count: number
  /** What search says of the first of them. */
  readonly reason: string
}

/** An index that was made without its template. */
export interface MadeWithout {
  readonly name: string
  /** Its template makes a data stream of its name. */
  readonly isStream: boolean
}

/**
 * Copies the documents of an index to the one that is set aside for it, and makes it anew by its template, empty. Who writes meanwhile gets 429 and
 * sends again. When it cannot copy all of them it throws `part_refused`, and nothing was deleted.
 */
export async function setAside(
  search: SearchClient,
  { name, isStream }: MadeWithout,
  progress: StepProgress,
): Promise<void> {
  const path = `/${encodeURIComponent(name)}`
  const aside = asideOf(name)
  const settings = { method: 'PUT', path: `${path}/_settings` } as const
  await search.request({ ...settings, body: { [block]: true } })
  try {
    await createLike(search, name, aside)
    for (let copies = 0, before = Number.NaN; ; copies++) {
      const count = await countOf(search, name)
      if (count === before) break
      if (copies === copiesMax) throw refused(`${name} is still written to`)
      before = count
      const [left] = await copy(search, { from: name, to: aside, progress })
      if (left) throw refused(`${aside} does not take the document ${left.id} of ${name}: ${left.reason}`)
    }
  } catch (thrown) {
    await search.request({ ...settings, body: { [block]: null } })
    throw thrown
  }
  await search.request({ method: 'DELETE', path })
  // Or a client that wrote at once has made it.
  await search.request({ method: 'PUT', path: isStream ? `/_data_stream${path}` : path, accept: [400] })
}

/** Moves what was set aside into the index or data stream of that name. What that refuses stays, with a note why; otherwise the index goes. */
export async function takeBack(search: SearchClient, name: string, progress: StepProgress): Promise<void> {
  const aside = asideOf(name)
  const path = `/${encodeURIComponent(aside)}`
  const left = await copy(search, {
    from: aside,
    to: name,
    progress,
    async onTaken(ids) {
      await sendBulk(
        search,
        ids.map((id) => ({ action: 'delete', index: aside, id })),
      )
    },
  })
  await search.request({ method: 'POST', path: `/${encodeURIComponent(name)}/_refresh` })
  const [first] = left
  if (!first) {
    await search.request({ method: 'DELETE', path })
    return
  }
  const note: Left = { count: left.length, reason: first.reason }
  await search.request({ method: 'PUT', path: `${path}/_mapping`, body: { _meta: { left: note } } })
}

async function createLike(search: SearchClient, name: string, aside: string): Promise<void> {
  const { body } = await search.request<Record<string, { mappings: Record<string, unknown> }>>({
    method: 'GET',
    path: `/${encodeURIComponent(name)}/_mapping`,
  })
  const settings = { 'index.mapping.total_fields.limit': fieldsMax }
  const mappings = { ...body[name]?.mappings, _meta: {} }
  const path = `/${encodeURIComponent(aside)}`
  const { status } = await search.request({ method: 'PUT', path, body: { settings, mappings }, accept: [400] })
  // There already, from a move that was cut off: fields that came since are added.
  if (status === 400) await search.request({ method: 'PUT', path: `${path}/_mapping`, body: mappings })
}

async function countOf(search: SearchClient, name: string): Promise<number> {
  const path = `/${encodeURIComponent(name)}`
  await search.request({ method: 'POST', path: `${path}/_refresh` })
  return (await search.request<{ count: number }>({ method: 'GET', path: `${path}/_count` })).body.count
}

interface Refusal {
  readonly id: string
  readonly reason: string
}

/** Adds the documents of one index to another under their ids; answers those that it refuses. One that is there already is taken. */
async function copy(
  search: SearchClient,
  what: {
    readonly from: string
    readonly to: string
    readonly progress: StepProgress
    onTaken?(ids: readonly string[]): Promise<void>
  },
): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  let seen = 0
  for await (const hits of pagesOf(search, what.from)) {
    const results = await sendBulk(
      search,
      hits.map(({ _id, _source }) => ({ action: 'create', index: what.to, id: _id, document: _source })),
    )
    const taken: string[] = []
    for (const [at, result] of results.entries()) {
      const id = hits[at]?._id ?? ''
      if (isTaken(result)) taken.push(id)
      else refusals.push({ id, reason: result.error?.reason ?? `status ${result.status}` })
    }
    await what.onTaken?.(taken)
    seen += hits.length
    what.progress.waiting(`${what.to}: ${seen} documents`)
  }
  return refusals
}

function isTaken({ status, error }: BulkResult): boolean {
  if (status === 429 || status >= 500) throw refused(`search does not take documents: ${error?.reason ?? status}`)
  return status < 300 || status === 409
}

async function* pagesOf(search: SearchClient, index: string): AsyncGenerator<readonly Hit[]> {
  const path = `/${encodeURIComponent(index)}`
  await search.request({ method: 'POST', path: `${path}/_refresh` })
  const first = { size: pageSize, sort: ['_doc'] }
  let { body } = await search.request<Page>({
    method: 'POST',
    path: `${path}/_search`,
    query: { scroll: '10m' },
    body: first,
  })
  while (body.hits.hits.length > 0) {
    yield body.hits.hits
    const next = { scroll: '10m', scroll_id: body._scroll_id }
    body = (await search.request<Page>({ method: 'POST', path: '/_search/scroll', body: next })).body
  }
  const done = { scroll_id: body._scroll_id }
  await search.request({ method: 'DELETE', path: '/_search/scroll', body: done, accept: [404] })
}

function refused(message: string): AppError {
  return new AppError(operatorErrors.part_refused, message, { fix: './logstack doctor' })
}
