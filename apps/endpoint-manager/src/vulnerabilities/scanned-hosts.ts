import { distributionOf, formatOf, type PackageFormat } from '@logstack/contracts'
import { readHits, type SearchClient } from '@logstack/search-client'
import { z } from 'zod'
import { inventoryIndex } from '../inventory/current-state.ts'

const hostsMax = 10_000

/** A host that sent its packages, and what tells whether they are what they were. */
export interface InventoriedHost {
  readonly agent: string
  /** How many packages, and when the newest came: every change changes one of them. */
  readonly state: string
}

/** What advisories are about: the source package where the distribution uses dpkg, else the package. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The packages that are made of it, in their order. */
  readonly parts: readonly string[]
  readonly architecture: string | undefined
  readonly type: string
}

/** A host with what is installed on it. */
export interface ScannedHost {
  /** `debian:12` */
  readonly distribution: string
  readonly format: PackageFormat
  /** `agent` and `host` of its events. */
  readonly about: { readonly agent: unknown; readonly host: unknown }
  readonly packages: readonly InstalledPackage[]
}

const hostsSchema = z.object({
  aggregations: z
    .object({
      hosts: z.object({
        buckets: z.array(
          z.object({ key: z.string(), doc_count: z.number(), newest: z.object({ value: z.number().nullable() }) }),
        ),
      }),
    })
    .optional(),
})

const packageSchema = z.object({
  agent: z.looseObject({ id: z.string() }),
  host: z.looseObject({ os: z.looseObject({ platform: z.string(), version: z.string() }) }).optional(),
  package: z.object({
    name: z.string(),
    version: z.string().optional(),
    architecture: z.string().optional(),
    type: z.string().optional(),
  }),
  inventory: z
    .object({
      package: z
        .object({ source: z.object({ name: z.string(), version: z.string().optional() }).optional() })
        .optional(),
    })
    .optional(),
})

type PackageDocument = z.infer<typeof packageSchema>

const isPackage = { term: { 'logstack.inventory.kind': 'package' } }

/** The hosts that sent packages. */
export async function inventoriedHosts(search: SearchClient): Promise<InventoriedHost[]> {
  const { body } = await search.request({
    method: 'POST',
    path: `/${inventoryIndex}/_search`,
    query: { ignore_unavailable: true },
    body: {
      size: 0,
      query: isPackage,
      aggs: {
        hosts: {
          terms: { field: 'agent.id', size: hostsMax },
          aggs: { newest: { max: { field: '@timestamp' } } },
        },
      },
    },
  })
  const buckets = hostsSchema.parse(body).aggregations?.hosts.buckets ?? []
  return buckets.map(({ key, doc_count: count, newest }) => ({ agent: key, state: `${count} ${newest.value}` }))
}

/** What is installed on a host; undefined where its distribution has no advisories. */
export async function scannedHost(search: SearchClient, agent: string): Promise<ScannedHost | undefined> {
  const documents: PackageDocument[] = []
  const found = readHits(search, inventoryIndex, {
    _source: ['agent', 'host', 'package', 'inventory.package'],
    query: { bool: { filter: [isPackage, { term: { 'agent.id': agent } }] } },
    sort: [{ 'logstack.inventory.key': 'asc' }],
  })
  for await (const { _source: source } of found) {
    // What a host says in another form must not keep the rest from being looked at, and of others nobody says anything (`agent.id` beside `agent: {id}`).
    const document = packageSchema.safeParse(source).data
    if (document?.agent.id === agent) documents.push(document)
  }
  return hostOf(documents)
}

function hostOf(documents: readonly PackageDocument[]): ScannedHost | undefined {
  const [first] = documents
  const os = first?.host?.os
  const distribution = os && distributionOf(os.platform, os.version)
  const format = distribution === undefined ? undefined : formatOf(distribution)
  if (first === undefined || distribution === undefined || format === undefined) return undefined
  return { distribution, format, about: { agent: first.agent, host: first.host }, packages: packagesOf(documents) }
}

/** Several packages are made of one source, and a package may be there in several versions, as kernels are. */
function packagesOf(documents: readonly PackageDocument[]): InstalledPackage[] {
  const found = new Map<string, InstalledPackage & { readonly parts: string[] }>()
  for (const { package: installed, inventory } of documents) {
    const { name, version } = { ...installed, ...inventory?.package?.source }
    if (version === undefined) continue
    const key = `${name} ${version}`
    const known = found.get(key)
    if (known) known.parts.push(installed.name)
    else {
      const { architecture, type = 'package' } = installed
      found.set(key, { name, version, parts: [installed.name], architecture, type })
    }
  }
  return [...found.values()]
}
