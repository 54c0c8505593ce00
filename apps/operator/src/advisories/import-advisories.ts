import { createHash } from 'node:crypto'
import { type Advisory, advisoriesIndex, distributionOf } from '@logstack/contracts'
import { type BulkAction, ensureHiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'
import { readOsvFiles } from './osv-files.ts'
import { advisoriesOf } from './osv-record.ts'

const batchSize = 1_000
const problemsShown = 5
const removalLimitMs = 600_000
const releasesMax = 1_000

/** What an import took in. */
export interface ImportedAdvisories {
  /** Advisories of each release, such as `debian:12`. */
  readonly counts: ReadonlyMap<string, number>
  /** Advisories of these releases that are not in the source any more. */
  readonly removed: number
  /** Parts of the files that are no records: how many, and the first few with the reason. */
  readonly unreadable: number
  readonly problems: readonly string[]
}

/** The releases that hosts have sent packages of, as `debian:12`; only such advisories are of use. */
export async function releasesOfHosts(search: SearchClient): Promise<string[]> {
  const { body } = await search.request<{
    aggregations?: { releases: { buckets: { key: readonly [platform: string, version: string] }[] } }
  }>({
    method: 'POST',
    path: '/endpoint-inventory/_search',
    query: { ignore_unavailable: true },
    body: {
      size: 0,
      query: { term: { 'logstack.inventory.kind': 'package' } },
      aggs: {
        releases: {
          multi_terms: { terms: [{ field: 'host.os.platform' }, { field: 'host.os.version' }], size: releasesMax },
        },
      },
    },
  })
  const named = body.aggregations?.releases.buckets.flatMap(({ key: [platform, version] }) => {
    return distributionOf(platform, version) ?? []
  })
  return [...new Set(named)].sort()
}

/**
 * Takes the advisories of `wanted` releases out of files of the OSV format, and removes those of these releases that the files have no more. A release
 * of which the files have none keeps what it had. `at` (ISO 8601) tells this import from others.
 */
export async function importAdvisories(
  search: SearchClient,
  paths: readonly string[],
  { wanted, at }: { readonly wanted: readonly string[]; readonly at: string },
): Promise<ImportedAdvisories> {
  await ensureHiddenIndex(search, advisoriesIndex)
  const counts = new Map<string, number>()
  const problems: string[] = []
  let unreadable = 0
  let batch: BulkAction[] = []
  const write = async (): Promise<void> => {
    await writeAll(search, batch)
    batch = []
  }
  for await (const read of readOsvFiles(paths)) {
    if ('problem' in read) {
      unreadable += 1
      if (problems.length < problemsShown) problems.push(read.problem)
      continue
    }
    for (const advisory of advisoriesOf(read.record, (release) => wanted.includes(release))) {
      counts.set(advisory.distribution, (counts.get(advisory.distribution) ?? 0) + 1)
      batch.push(actionOf({ ...advisory, import: at }))
    }
    if (batch.length >= batchSize) await write()
  }
  await write()
  return { counts, removed: await removeOthers(search, [...counts.keys()], at), unreadable, problems }
}

function actionOf(document: Advisory): BulkAction {
  const { distribution, record } = document
  const id = createHash('sha256')
    .update(JSON.stringify([distribution, document.package, record]))
    .digest('base64url')
    .slice(0, 22)
  return { action: 'index', index: advisoriesIndex.name, id, document }
}

async function writeAll(search: SearchClient, actions: readonly BulkAction[]): Promise<void> {
  const results = await sendBulk(search, actions)
  const refused = results.find(({ status }) => status >= 300)
  if (refused) throw new Error(`search refused an advisory: ${refused.error?.reason ?? refused.status}`)
}

async function removeOthers(search: SearchClient, releases: readonly string[], at: string): Promise<number> {
  if (releases.length === 0) return 0
  const path = `/${encodeURIComponent(advisoriesIndex.name)}`
  await search.request({ method: 'POST', path: `${path}/_refresh` })
  const { body } = await search.request<{ deleted: number }>({
    method: 'POST',
    path: `${path}/_delete_by_query`,
    query: { refresh: true, conflicts: 'proceed' },
    body: {
      query: { bool: { filter: { terms: { distribution: releases } }, must_not: { term: { import: at } } } },
    },
    timeoutMs: removalLimitMs,
  })
  return body.deleted
}
