import type { SearchClient } from './client.ts'

/** A hidden index that holds a part's state. `version` rises with every change of the mapping, which may only add fields. */
export interface HiddenIndex {
  /** `.logstack-…` */
  readonly name: string
  readonly version: number
  /** The properties of a strict mapping. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** Creates the index, or adds the fields that an older version lacks. Idempotent; safe when two parts start at once. */
export async function ensureHiddenIndex(client: SearchClient, index: HiddenIndex): Promise<void> {
  // A cluster keeps a copy on a second node, where it has one; search is one node.
  const { product } = await client.capabilities()
  const copies = product === 'logstack' ? { number_of_replicas: 0 } : { auto_expand_replicas: '0-1' }
  const mappings = { dynamic: 'strict', _meta: { version: index.version }, properties: index.properties }
  const created = await client.request<{ error?: { type?: string } }>({
    method: 'PUT',
    path: `/${encodeURIComponent(index.name)}`,
    body: { settings: { index: { hidden: true, number_of_shards: 1, ...copies } }, mappings },
    accept: [400],
  })
  if (created.status === 200) return
  if (created.body.error?.type !== 'resource_already_exists_exception') {
    throw new Error(`cannot create ${index.name}: ${JSON.stringify(created.body)}`)
  }
  const path = `/${encodeURIComponent(index.name)}/_mapping`
  const current = await client.request<Record<string, { mappings?: { _meta?: { version?: number } } }>>({
    method: 'GET',
    path,
  })
  const version = Object.values(current.body)[0]?.mappings?._meta?.version ?? 0
  if (version < index.version)
    await client.request({ method: 'PUT', path, body: { _meta: mappings._meta, properties: index.properties } })
}
