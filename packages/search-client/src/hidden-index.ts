import { AppError, platformErrors } from '@logstack/errors'
import type { SearchClient } from './client.ts'

/** A hidden index that holds a part's state. `version` rises with every change of the mapping, which may only add fields. */
export interface HiddenIndex {
  /** `.logstack-…` */
  readonly name: string
  readonly version: number
  /** The properties of a strict mapping. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** `guessed`: nobody of the stack made it. A write to an index that somebody had deleted did, and its mapping is what search took the values for. */
export type HiddenIndexState = 'absent' | 'guessed' | 'older' | 'current'

/** The name of the index that stands in for one whose mapping was guessed; the name of that one is its alias then. */
export function nameMadeAnew({ name }: Pick<HiddenIndex, 'name'>): string {
  return `${name}-anew`
}

type Mappings = Record<string, { mappings?: { _meta?: { version?: number } } }>

/** How a hidden index is; needs `view_index_metadata`. */
async function lookAtHiddenIndex(client: SearchClient, index: HiddenIndex): Promise<HiddenIndexState> {
  const { status, body } = await client.request<Mappings>({ method: 'GET', path: mappingPath(index), accept: [404] })
  if (status === 404) return 'absent'
  // Its own name, or that of the one it is an alias of.
  const version = Object.values(body)[0]?.mappings?._meta?.version
  if (version === undefined) return 'guessed'
  return version < index.version ? 'older' : 'current'
}

/**
 * Creates the index, adds the fields that an older version lacks, and makes one anew, with its documents, whose mapping was guessed. Idempotent;
 * safe when two parts start at once.
 */
export async function ensureHiddenIndex(client: SearchClient, index: HiddenIndex): Promise<void> {
  const created = await create(client, index.name, index)
  if (created === undefined) return
  const state = await lookAtHiddenIndex(client, index)
  if (state === 'absent') throw new Error(`cannot create ${index.name}: ${JSON.stringify(created)}`)
  if (state === 'guessed') await makeAnew(client, index)
  if (state === 'older') {
    const { _meta, properties } = mappingsOf(index)
    await client.request({ method: 'PUT', path: mappingPath(index), body: { _meta, properties } })
  }
}

/** What search answers when it does not create it; undefined when it does. */
async function create(client: SearchClient, name: string, index: HiddenIndex): Promise<unknown> {
  // A cluster keeps a copy on a second node, where it has one; search is one node.
  const { product } = await client.capabilities()
  const copies = product === 'logstack' ? { number_of_replicas: 0 } : { auto_expand_replicas: '0-1' }
  const { status, body } = await client.request({
    method: 'PUT',
    path: pathOf(name),
    body: { settings: { index: { hidden: true, number_of_shards: 1, ...copies } }, mappings: mappingsOf(index) },
    accept: [400],
  })
  return status === 200 ? undefined : body
}

// A mapping cannot be changed: its documents go to a new index, and the old one makes room for an alias in one step, so that being cut off leaves the one
// or the other.
async function makeAnew(client: SearchClient, index: HiddenIndex): Promise<void> {
  const copy = nameMadeAnew(index)
  await client.request({ method: 'DELETE', path: pathOf(copy), accept: [404] })
  const refused = await create(client, copy, index)
  if (refused !== undefined) throw new Error(`cannot create ${copy}: ${JSON.stringify(refused)}`)
  await client.request({ method: 'POST', path: `${pathOf(index.name)}/_refresh` })
  const { status, body } = await client.request<{ failures?: readonly { cause?: { reason?: string } }[] }>({
    method: 'POST',
    path: '/_reindex',
    query: { refresh: 'true' },
    body: { source: { index: index.name }, dest: { index: copy } },
    accept: [400],
  })
  if (status !== 200 || (body.failures?.length ?? 0) > 0) {
    await client.request({ method: 'DELETE', path: pathOf(copy) })
    const reason = body.failures?.[0]?.cause?.reason ?? JSON.stringify(body)
    const message = `${index.name} was made by a write after somebody deleted it, and holds what does not belong there: ${reason}`
    throw new AppError(platformErrors.search_refused, message, { fix: `DELETE /${index.name}` })
  }
  const actions = [
    { remove_index: { index: index.name } },
    { add: { index: copy, alias: index.name, is_hidden: true, is_write_index: true } },
  ]
  await client.request({ method: 'POST', path: '/_aliases', body: { actions } })
}

function mappingsOf({ version, properties }: HiddenIndex): {
  dynamic: 'strict'
  _meta: { version: number }
  properties: HiddenIndex['properties']
} {
  return { dynamic: 'strict', _meta: { version }, properties }
}

function pathOf(name: string): string {
  return `/${encodeURIComponent(name)}`
}

function mappingPath({ name }: HiddenIndex): string {
  return `${pathOf(name)}/_mapping`
}
