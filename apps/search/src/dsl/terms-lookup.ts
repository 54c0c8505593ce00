import { z } from 'zod'
import { flag } from './shapes/scalars.ts'

/** Where the values of a `terms` clause are: in a field of a document. */
export const termsLookup = z.strictObject({
  index: z.string(),
  id: z.union([z.string(), z.number().transform(String)]),
  path: z.string(),
  routing: z.union([z.string(), z.number()]).optional(),
  store: flag.optional(),
})

/** A terms lookup as it was read. */
export type TermsLookup = z.infer<typeof termsLookup>

/**
 * The request with the values in place of every terms lookup in it: what Elasticsearch does before it sends a query to shards. The same object
 * when there is none.
 */
export async function withLookedUpTerms(
  body: unknown,
  find: (lookup: TermsLookup) => Promise<unknown[]>,
): Promise<unknown> {
  return mayLookUp(body) ? replaced(body, find) : body
}

/** Seen at once, so that a request of ten thousand values without a lookup waits for nothing. */
function mayLookUp(body: unknown): boolean {
  if (body === null || typeof body !== 'object') return false
  if (Array.isArray(body)) return body.some(mayLookUp)
  return Object.entries(body).some(([key, value]) => (key === 'terms' && isClause(value)) || mayLookUp(value))
}

function isClause(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some((given) => given !== null && typeof given === 'object' && !Array.isArray(given))
}

async function replaced(body: unknown, find: (lookup: TermsLookup) => Promise<unknown[]>): Promise<unknown> {
  if (body === null || typeof body !== 'object') return body
  if (Array.isArray(body)) {
    const members = await Promise.all(body.map((member) => replaced(member, find)))
    return members.some((member, at) => member !== body[at]) ? members : body
  }
  const changed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(body)) {
    const read = key === 'terms' ? await lookedUp(value, find) : value
    const next = read === value ? await replaced(value, find) : read
    if (next !== value) changed[key] = next
  }
  return Object.keys(changed).length === 0 ? body : { ...body, ...changed }
}

async function lookedUp(clause: unknown, find: (lookup: TermsLookup) => Promise<unknown[]>): Promise<unknown> {
  if (clause === null || typeof clause !== 'object' || Array.isArray(clause)) return clause
  for (const [field, given] of Object.entries(clause)) {
    const lookup = termsLookup.safeParse(given)
    if (lookup.success) return { ...clause, [field]: await find(lookup.data) }
  }
  return clause
}
