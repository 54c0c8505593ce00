import { expect, test } from 'vitest'
import { completionAt, indexAt } from './complete.ts'

const known = { indices: ['logs-app', 'web'], fields: ['@timestamp', 'host.name'] }

/** What is offered at the `|` of a text, and what stands there already. */
function offered(marked: string): { typed: string; kind: string; options: readonly string[] } | undefined {
  const offset = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionAt(text, offset, known)
  return found && { typed: text.slice(found.from, offset), kind: found.kind, options: found.options }
}

test('a request begins with its method, and goes on with an endpoint that takes it', () => {
  expect(offered('# words\nGE|')).toMatchObject({
    typed: 'GE',
    kind: 'method',
    options: expect.arrayContaining(['GET']),
  })
  const first = offered('GET _cl|')
  expect(first).toMatchObject({ typed: '_cl', kind: 'path' })
  expect(first?.options).toEqual(expect.arrayContaining(['_cluster/health', '_cat/indices', 'logs-app', 'web']))
  expect(first?.options).not.toContain('_reindex')
  expect(offered('POST /_rei|')?.options).toContain('_reindex')
  expect(offered('GET logs-*/_s|')).toMatchObject({
    typed: '_s',
    options: expect.arrayContaining(['_search', '_mapping']),
  })
  expect(offered('GET _cat/|')).toMatchObject({ typed: '', options: expect.arrayContaining(['indices', 'shards']) })
  expect(offered('GET _cat/|')?.options).not.toContain('_search')
})

test('parameters are those of the endpoint and of all', () => {
  const found = offered('GET _cat/indices?v=true&he|')
  expect(found).toMatchObject({ typed: 'he', kind: 'parameter' })
  expect(found?.options).toEqual(expect.arrayContaining(['health', 'h', 'filter_path']))
  expect(found?.options).not.toContain('scroll')
  expect(offered('GET _cat/indices?v=tr|')).toBeUndefined()
})

test('a body is offered what may stand at its place', () => {
  const begin = 'GET logs-*/_search\n{\n  '
  expect(offered(`${begin}"qu|`)).toMatchObject({
    typed: 'qu',
    kind: 'key',
    options: expect.arrayContaining(['query']),
  })
  expect(offered(`${begin}|`)?.options).toEqual(expect.arrayContaining(['aggs', 'size', 'sort']))
  const query = offered(`${begin}"query": { "bool": { "must": [{ "t|`)
  expect(query).toMatchObject({ typed: 't', options: expect.arrayContaining(['term', 'terms', 'match']) })
  expect(offered(`${begin}"query": { "bool": { "|`)?.options).toEqual(expect.arrayContaining(['must_not', 'filter']))
  expect(offered(`${begin}"query": { "term": { "ho|`)).toMatchObject({ typed: 'ho', options: known.fields })
  expect(offered(`${begin}"query": { "range": { "@timestamp": { "|`)?.options).toContain('gte')
  expect(offered(`${begin}"aggs": { "|`)).toBeUndefined()
  expect(offered(`${begin}"aggs": { "a": { "|`)?.options).toEqual(expect.arrayContaining(['terms', 'aggs']))
  expect(offered(`${begin}"aggs": { "a": { "terms": { "field": "h|`)).toMatchObject({
    kind: 'value',
    options: known.fields,
  })
  expect(offered(`${begin}"sort": [{ "|" }]\n}`)).toMatchObject({ kind: 'key', options: known.fields })
  expect(offered(`${begin}"fields": ["host.name", "|`)).toMatchObject({ kind: 'value', options: known.fields })
  expect(offered(`${begin}"size": 5, "query": { "match_all": {} }, "|`)?.options).toContain('aggs')
})

test('where nothing is known nothing is offered', () => {
  for (const text of [
    'GET _search\n{ "query" |',
    'GET _search\n{ "size": 5|',
    'PUT web/_doc/1\n{ "a|',
    '# GET _cl|',
    '|',
  ])
    expect(offered(text), text).toBeUndefined()
})

test('a request is about the indices its path names', () => {
  expect(indexAt('GET logs-*,web/_search\n{\n}', 25)).toBe('logs-*,web')
  expect(indexAt('GET _search\n{\n}', 13)).toBeUndefined()
  expect(indexAt('\n\nGET web', 0)).toBeUndefined()
})
