import { type Advisory, advisoriesIndex, advisorySchema } from '@logstack/contracts'
import { readHits, type SearchClient } from '@logstack/search-client'
import { z } from 'zod'

const path = `/${encodeURIComponent(advisoriesIndex.name)}/_search`
const namesAtOnce = 500
const importsMax = 1_000

const importsSchema = z.object({
  aggregations: z
    .object({
      releases: z.object({
        buckets: z.array(
          z.object({
            key: z.string(),
            doc_count: z.number(),
            imports: z.object({ buckets: z.array(z.object({ key: z.string() })) }),
          }),
        ),
      }),
    })
    .optional(),
})

/** What advisories there are of each release: a word that is another one after every import. Empty before the first. */
export async function importedReleases(search: SearchClient): Promise<Map<string, string>> {
  const { body } = await search.request({
    method: 'POST',
    path,
    query: { ignore_unavailable: true },
    body: {
      size: 0,
      aggs: {
        releases: {
          terms: { field: 'distribution', size: importsMax },
          aggs: { imports: { terms: { field: 'import', size: importsMax } } },
        },
      },
    },
  })
  const releases = importsSchema.parse(body).aggregations?.releases.buckets ?? []
  return new Map(
    releases.map(({ key, doc_count: count, imports }) => {
      const times = imports.buckets.map((bucket) => bucket.key).sort()
      return [key, `${count} ${times.join(' ')}`]
    }),
  )
}

/** The advisories of one release, read as hosts turn out to have the packages. Used for one round, then left. */
export class AdvisoryBook {
  readonly #search: SearchClient
  readonly #distribution: string
  readonly #byPackage = new Map<string, Advisory[]>()

  constructor(search: SearchClient, distribution: string) {
    this.#search = search
    this.#distribution = distribution
  }

  /** Reads what there is about packages of these names. */
  async read(names: readonly string[]): Promise<void> {
    const missing = [...new Set(names)].filter((name) => !this.#byPackage.has(name))
    for (const name of missing) this.#byPackage.set(name, [])
    for (let from = 0; from < missing.length; from += namesAtOnce)
      await this.#readAbout(missing.slice(from, from + namesAtOnce))
  }

  /** What there is about a package, once it was read. */
  of(name: string): readonly Advisory[] {
    return this.#byPackage.get(name) ?? []
  }

  async #readAbout(names: readonly string[]): Promise<void> {
    const documents = readHits(this.#search, advisoriesIndex.name, {
      query: { bool: { filter: [{ term: { distribution: this.#distribution } }, { terms: { package: names } }] } },
      sort: [{ package: 'asc' }, { record: 'asc' }],
    })
    for await (const { _source: source } of documents) {
      const advisory = advisorySchema.parse(source)
      this.#byPackage.get(advisory.package)?.push(advisory)
    }
  }
}
