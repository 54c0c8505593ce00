import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

// Buckets of a query find what a search for the query finds, though words of texts are looked for another way there (`matching` in row-source.ts).
let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  // A document that was replaced, and one that is gone.
  const { services } = logs
  await services.write('logs-1', [['6', { message: 'password of nobody', tags: 'a' }]])
  await services.write('logs-1', [['6', { message: ['several words', 'failed again'], tags: 'a' }]])
})
afterAll(() => logs.services.close())

const match = (message: string): unknown => ({ match: { message } })
const queries: Readonly<Record<string, unknown>> = {
  word: match('password'),
  all: { match: { message: { query: 'password failed', operator: 'and' } } },
  some: { match: { message: { query: 'password failed root', minimum_should_match: 2 } } },
  phrase: { match_phrase: { message: 'password failed' } },
  none: { bool: { must_not: [match('password'), match('root')] } },
  mixed: { bool: { should: [match('closed'), { term: { tags: 'a' } }], minimum_should_match: 1 } },
  counted: { bool: { should: [match('password'), match('root'), { term: { status: 200 } }], minimum_should_match: 2 } },
  elsewhere: { query_string: { query: 'message:password AND NOT status:404' } },
}

it.each([
  ['of everything', { match_all: {} }],
  ['of some', { range: { '@timestamp': { gte: '2026-11-21T10:15:00Z' } } }],
])('count what a search finds, %s', async (_what, query) => {
  const aggregations = {
    all: { filters: { filters: queries }, aggs: { ids: { terms: { field: 'host.name', missing: '-' } } } },
    one: { filter: queries['none'] },
  }
  const found = (await logs.aggs(aggregations, { query }, 'logs-1,other')) as {
    all: { buckets: Record<string, { doc_count: number; ids: { buckets: { doc_count: number }[] } }> }
    one: { doc_count: number }
  }
  for (const [name, one] of Object.entries(queries)) {
    const body = { query: { bool: { filter: [query, one] } }, track_total_hits: true, size: 0 }
    const { hits } = (await logs.answer(body, {}, 'logs-1,other')) as { hits: { total: { value: number } } }
    const bucket = found.all.buckets[name]
    expect([name, bucket?.doc_count]).toEqual([name, hits.total.value])
    expect(bucket?.ids.buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(hits.total.value)
    if (name === 'none') expect(found.one.doc_count).toBe(hits.total.value)
    // By itself it is looked up, beside many others its words are cut.
    const alone = (await logs.aggs({ one: { filter: one } }, { query }, 'logs-1,other')) as typeof found
    expect([name, alone.one.doc_count]).toEqual([name, hits.total.value])
  }
  expect(found.all.buckets['word']?.doc_count).toBeGreaterThan(0)
})
