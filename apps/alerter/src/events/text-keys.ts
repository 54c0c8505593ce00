import { messageOf } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'

/** How Elasticsearch, OpenSearch and search name the field that an index cannot count by, as it maps it as text. */
const textField = /set(?:ting)? fielddata=true on \[([^\]]+)\]/i

/** How many fields of one search may be such. */
const fieldsMax = 8

interface Counting {
  readonly method: 'POST'
  readonly path: string
  readonly query: Readonly<Record<string, string | boolean | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A search that counts by fields. Where a client maps one of them as text, as its own template says, every index would refuse it; then the field is
 * read from the events themselves, as what a keyword would hold, which is slower and counts all of them.
 */
export async function searchCounting<T>(client: SearchClient, request: Counting): Promise<T> {
  const fields = new Set<string>()
  for (;;) {
    const runtime = Object.fromEntries([...fields].map((field) => [field, { type: 'keyword' }]))
    const body = fields.size === 0 ? request.body : { ...request.body, runtime_mappings: runtime }
    try {
      return (await client.request<T>({ ...request, body })).body
    } catch (thrown) {
      const field = textField.exec(messageOf(thrown))?.[1]
      if (field === undefined || fields.has(field) || fields.size === fieldsMax) throw thrown
      fields.add(field)
    }
  }
}
