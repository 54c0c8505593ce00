import { type BulkAction, readHits, type SearchClient, sendBulk } from '@logstack/search-client'
import { z } from 'zod'
import { stableId } from '../documents/stable-id.ts'
import type { Finding } from './matching.ts'

/** What hosts have that is vulnerable now: one document for each vulnerability of a package of a host. */
const index = 'endpoint-vulnerabilities'
const batchSize = 1_000
const hostsMax = 10_000

/** Somebody else may have written there; then it is written anew, or removed. */
const knownSchema = z.object({
  vulnerability: z.object({ detected_at: z.string() }),
  logstack: z.object({ vulnerability: z.object({ digest: z.string() }) }),
})

const hostsSchema = z.object({
  aggregations: z.object({ hosts: z.object({ buckets: z.array(z.object({ key: z.string() })) }) }).optional(),
})

/** What a document says of itself: of what it was made, and since when (ISO 8601) the host is known to have it. */
interface KnownVulnerability {
  readonly digest: string | undefined
  readonly since: string | undefined
}

/** How many documents a look at a host changed. */
export interface Changes {
  readonly found: number
  readonly gone: number
}

/** Makes the documents of a host what was found, none where nothing was; what was known stays as old as it is. `now` in milliseconds since the epoch. */
export async function keepFindings(
  search: SearchClient,
  agent: string,
  findings: readonly Finding[],
  now: number,
): Promise<Changes> {
  const known = await knownOf(search, agent)
  const actions: BulkAction[] = []
  let found = 0
  for (const finding of findings) {
    const id = idOf(agent, finding)
    const before = known.get(id)
    known.delete(id)
    const document = documentOf(finding)
    const digest = stableId(document)
    if (before?.digest === digest) continue
    if (!before) found += 1
    const at = new Date(now).toISOString()
    actions.push({ action: 'index', index, id, document: dated(document, { at, since: before?.since ?? at, digest }) })
  }
  for (const id of known.keys()) actions.push({ action: 'delete', index, id })
  for (let from = 0; from < actions.length; from += batchSize)
    await write(search, actions.slice(from, from + batchSize))
  return { found, gone: known.size }
}

/** Removes what is known of hosts that are not among those. Answers how many documents. */
export async function forgetOthers(search: SearchClient, agents: ReadonlySet<string>): Promise<number> {
  const { body } = await search.request({
    method: 'POST',
    path: `/${index}/_search`,
    query: { ignore_unavailable: true },
    body: { size: 0, aggs: { hosts: { terms: { field: 'agent.id', size: hostsMax } } } },
  })
  const gone = (hostsSchema.parse(body).aggregations?.hosts.buckets ?? []).filter(({ key }) => !agents.has(key))
  if (gone.length === 0) return 0
  const { body: removed } = await search.request<{ deleted: number }>({
    method: 'POST',
    path: `/${index}/_delete_by_query`,
    query: { conflicts: 'proceed' },
    body: { query: { terms: { 'agent.id': gone.map(({ key }) => key) } } },
  })
  return removed.deleted
}

async function knownOf(search: SearchClient, agent: string): Promise<Map<string, KnownVulnerability>> {
  const known = new Map<string, KnownVulnerability>()
  const documents = readHits(search, index, {
    _source: ['vulnerability.detected_at', 'logstack.vulnerability.digest'],
    query: { bool: { filter: { term: { 'agent.id': agent } } } },
    // Together they are different in each document of a host.
    sort: ['vulnerability.id', 'package.name', 'package.version'].map((field) => ({
      [field]: { order: 'asc', unmapped_type: 'keyword' },
    })),
  })
  for await (const { _id: id, _source: source } of documents) {
    const own = knownSchema.safeParse(source).data
    known.set(id, { digest: own?.logstack.vulnerability.digest, since: own?.vulnerability.detected_at })
  }
  return known
}

async function write(search: SearchClient, actions: readonly BulkAction[]): Promise<void> {
  const results = await sendBulk(search, actions)
  // 404: deleted already.
  const refused = results.find(({ status }) => status >= 300 && status !== 404)
  if (refused) throw new Error(`search refused a vulnerability: ${refused.error?.reason ?? refused.status}`)
}

function idOf(agent: string, { vulnerability, package: installed }: Finding): string {
  return stableId([agent, vulnerability, installed.name, installed.version])
}

/** In ECS's words; times are added by `dated`. */
function documentOf({ host, vulnerability, package: installed, advisory, fixed }: Finding): object {
  const { score, score_version: version, severity, summary, reference, published, record } = advisory
  return {
    message: `${vulnerability} in ${installed.name} ${installed.version}, ${fixed === undefined ? 'not fixed yet' : `fixed in ${fixed}`}`,
    ...host.about,
    event: { kind: 'state', module: 'vulnerabilities', category: ['vulnerability'], type: ['info'] },
    package: {
      name: installed.name,
      version: installed.version,
      type: installed.type,
      ...(installed.architecture === undefined ? {} : { architecture: installed.architecture }),
      ...(fixed === undefined ? {} : { fixed_version: fixed }),
    },
    inventory: { package: { parts: [...installed.parts].sort() } },
    vulnerability: {
      id: vulnerability,
      classification: 'CVSS',
      enumeration: 'CVE',
      category: ['Packages'],
      scanner: { vendor: 'logstack' },
      severity,
      description: summary,
      reference,
      report_id: record,
      ...(score === undefined ? {} : { score: { base: score, version } }),
      ...(published === undefined ? {} : { published_at: published }),
    },
  }
}

/** With when it was found first and when it became what it is. */
function dated(document: object, { at, since, digest }: { at: string; since: string; digest: string }): object {
  const { vulnerability } = document as { vulnerability: object }
  return {
    '@timestamp': at,
    ...document,
    vulnerability: { ...vulnerability, detected_at: since },
    logstack: { vulnerability: { digest } },
  }
}
