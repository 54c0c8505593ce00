import { writeFileSync } from 'node:fs'
import { isAppError } from '@logstack/errors'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping } from '../../model/mapping.ts'
import { findOpenSearch, type RunningOpenSearch } from '../../testing/open-search.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'
import { source } from './differential.fixture.ts'
import { type Answer, comparable, firstDifference, type Json } from './differential-answers.fixture.ts'
import { mappings } from './differential-mapping.fixture.ts'
import { reduced } from './differential-reduce.fixture.ts'
import { requests } from './differential-requests.fixture.ts'

/** Random searches, each followed page by page, that are compared. */
const cases = Number(process.env['LOGSTACK_CASES'] ?? 40)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 5)
/** A file for all differences, as JSON. */
const report = process.env['LOGSTACK_DIFFERENCES_REPORT']
const indicesCount = 12
const documentsCount = 60
/** Differences that are shown. */
const shownMax = 30

const openSearch = await findOpenSearch()
const skip = openSearch.missing ?? false
const prefix = `random-${process.pid}-`
const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' }

interface Difference {
  readonly index: string
  readonly difference: string
  /** The least part of the request that still differs so. */
  readonly least: Json
  readonly request: Json
}

describe.skipIf(skip)(`answers like OpenSearch${skip ? ` (${skip})` : ''}`, () => {
  let logs: SampleLogs
  let theirs: RunningOpenSearch
  beforeAll(async () => {
    logs = await openSampleLogs()
    theirs = await openSearch.start()
    for (const [at, mapping] of fc.sample(mappings, { numRuns: indicesCount, seed }).entries())
      await makeIndex(logs, theirs, { name: `${prefix}${at}`, mapping, drawn: seed + at })
  }, 180_000)
  afterAll(async () => {
    await theirs?.ask(`/${prefix}*`, 'DELETE')
    await theirs?.stop()
    await logs.services.close()
  })

  it(`in ${cases} cases of seed ${seed}`, async () => {
    const drawn = fc.sample(fc.tuple(fc.nat(indicesCount - 1), requests), { numRuns: cases, seed })
    const differences: Difference[] = []
    let failed = 0
    for (const [at, request] of drawn) {
      const found = await compare(logs, theirs, `${prefix}${at}`, request)
      if (found === 'failed') failed += 1
      else if (found) differences.push(found)
    }
    if (report !== undefined) writeFileSync(report, JSON.stringify({ cases, seed, failed, differences }))
    const shown = differences.slice(0, shownMax).map(({ request: _, ...each }) => each)
    expect({ differences: differences.length, shown }).toEqual({ differences: 0, shown: [] })
    // Nearly all of them must have been compared.
    expect(failed).toBeLessThan(cases / 10)
  }, 7_200_000)
})

async function makeIndex(
  { services }: SampleLogs,
  { ask }: RunningOpenSearch,
  { name, mapping, drawn }: { readonly name: string; readonly mapping: Mapping; readonly drawn: number },
): Promise<void> {
  const documents = fc
    .sample(source, { numRuns: documentsCount, seed: drawn })
    .map((each, at) => [String(at), inLatinLetters({ ...each, pk: at })] as const)
  await services.create(name, mapping)
  await services.write(name, documents)
  const made = await ask(`/${name}`, 'PUT', { settings, mappings: withoutWildcards(mapping) })
  expect(made).toMatchObject({ status: 200 })
  const lines = documents.flatMap(([id, document]) => [
    JSON.stringify({ index: { _id: id } }),
    JSON.stringify(document),
  ])
  const written = await ask(`/${name}/_bulk?refresh=true`, 'POST', `${lines.join('\n')}\n`)
  expect(written.json['errors'], JSON.stringify(written.json).slice(0, 2000)).toBe(false)
}

/** OpenSearch's `wildcard` is its own: without ranges and aggregations. Elasticsearch's answers as `keyword` does. */
function withoutWildcards(mapping: Mapping): unknown {
  return JSON.parse(JSON.stringify(mapping).replaceAll('"wildcard"', '"keyword"'))
}

/** Ideographs are a word each in Elasticsearch, and one word side by side here (docs/search.md). */
function inLatinLetters<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('日本', 'nihon')) as T
}

/** Asks both, page after page, until they differ; `failed` when OpenSearch itself stumbles, which says nothing about us. */
async function compare(
  logs: SampleLogs,
  { ask }: RunningOpenSearch,
  index: string,
  first: Json,
): Promise<Difference | 'failed' | undefined> {
  const both = async (request: Json) => {
    const [theirs, ours] = await Promise.all([inOpenSearch(ask, index, request), here(logs, index, request)])
    return { ours, theirs, way: wayOf(ours, theirs), difference: firstDifference(comparable(ours), comparable(theirs)) }
  }
  for (let next: Json | undefined = inLatinLetters(first); next; ) {
    const found = await both(next)
    if (found.theirs === 'failed') return 'failed'
    if (found.difference !== undefined) {
      const place = placeOf(found.difference)
      const least = await reduced(next, async (smaller) => {
        const now = await both(smaller)
        return now.way === found.way && now.difference !== undefined && placeOf(now.difference) === place
      })
      return { index, difference: (await both(least)).difference ?? '', least, request: next }
    }
    next = nextPage(next, found.theirs)
    // What stands for a missing number is shown in two ways, and each takes its own.
    if (next?.['search_after'] && lastSort(found.ours) !== lastSort(found.theirs)) return undefined
  }
  return undefined
}

async function inOpenSearch(ask: RunningOpenSearch['ask'], index: string, request: Json) {
  const { status, json } = await ask(`/${index}/_search`, 'POST', request)
  if (status >= 500) return 'failed'
  return status === 200 ? (json as unknown as Answer) : 'refused'
}

async function here(logs: SampleLogs, index: string, request: Json): Promise<Answer | string> {
  try {
    return (await logs.answer(request, {}, index)) as unknown as Answer
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return thrown.kind === 'internal' ? `failed: ${thrown.message}` : 'refused'
  }
}

function wayOf(ours: Answer | string, theirs: Answer | string): string {
  return [ours, theirs].map((each) => (typeof each === 'string' ? each : 'answered')).join(' ')
}

/** The place of a difference, whichever hit or bucket it is. */
function placeOf(difference: string): string {
  return difference.replace(/: .*/su, '').replace(/\.\d+/gu, '')
}

function lastSort(answer: Answer | string): string | undefined {
  return typeof answer === 'string' ? answer : JSON.stringify(answer.hits.hits.at(-1)?.['sort'])
}

/** The same search after its last hit, or after the last bucket of a page; undefined behind the last. */
function nextPage(request: Json, answer: Answer | string): Json | undefined {
  if (typeof answer === 'string') return undefined
  const { aggs, from: _from, ...rest } = request
  const pages = (aggs as Json | undefined)?.['pages'] as { composite: object } | undefined
  const after = (answer.aggregations?.['pages'] as Json | undefined)?.['after_key']
  if (pages && after)
    return { ...rest, size: 0, aggs: { pages: { ...pages, composite: { ...pages.composite, after } } } }
  const last = answer.hits.hits.at(-1)
  if (!last || aggs !== undefined || request['collapse'] !== undefined) return undefined
  return { ...rest, search_after: last['sort'] }
}
