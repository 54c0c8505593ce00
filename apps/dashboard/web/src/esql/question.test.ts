import { expect, test } from 'vitest'
import { type AskedInEsql, esqlQuestion } from './question.ts'

const range = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) }
const limits = {
  gte: '2026-01-01T00:00:00.000Z',
  lte: '2026-01-02T00:00:00.000Z',
  format: 'strict_date_optional_time',
}
const within = { range: { '@timestamp': limits } }
const params = [{ _tstart: limits.gte }, { _tend: limits.lte }]
const types = new Map([
  ['@timestamp', 'date'],
  ['host.name', 'keyword'],
])

function ask(esql: string, more: Partial<AskedInEsql> = {}) {
  return esqlQuestion({ esql, timeField: '@timestamp', range, queries: [], filters: [], types, ...more })
}

test('range, query and filters of the page are one filter', () => {
  const queries = [{ language: 'kuery', query: 'host.name: web' }]
  const filters = [{ exists: { field: 'a' } }]
  expect(ask('FROM a', { queries, filters })).toEqual({
    query: 'FROM a',
    filter: { bool: { filter: [within, { term: { 'host.name': { value: 'web' } } }, { exists: { field: 'a' } }] } },
  })
})

test('a query that only sizes its buckets by the range is still kept within it', () => {
  const query = 'FROM a | STATS COUNT(*) BY BUCKET(@timestamp, 50, ?_tstart, ?_tend)'
  expect(ask(query)).toEqual({ query, filter: { bool: { filter: [within] } }, params })
})

test('a query that chooses by the range gets its ends, and no filter of time', () => {
  const query = 'FROM a | WHERE event.end > ?_tstart AND event.end <= ?_tend'
  expect(ask(query)).toEqual({ query, params })
})

test('there is no filter of a field that the indices do not have, or of none', () => {
  expect(ask('FROM a', { timeField: 'event.end' })).toEqual({ query: 'FROM a' })
  expect(ask('FROM a', { timeField: undefined })).toEqual({ query: 'FROM a' })
  expect(ask('FROM a', { timeField: 'event.end', types: new Map() }).filter).toBeDefined()
})
