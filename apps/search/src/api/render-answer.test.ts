import { describe, expect, it } from 'vitest'
import { answerFormat } from './encoding/media-types.ts'
import { renderAnswer } from './render-answer.ts'

function render(json: unknown, options: { pretty?: boolean; filterPath?: string; format?: string } = {}): string {
  const { pretty = false, filterPath, format } = options
  return renderAnswer({ json }, { pretty, filterPath, answer: answerFormat(undefined, format) }).body.toString('utf8')
}

describe('pretty', () => {
  it('prints as Elasticsearch does', () => {
    const json = { name: 'a "b"', list: [1, { x: null }], empty: [], none: {}, nested: { on: true } }
    expect(render(json, { pretty: true })).toBe(`{
  "name" : "a \\"b\\"",
  "list" : [
    1,
    {
      "x" : null
    }
  ],
  "empty" : [ ],
  "none" : { },
  "nested" : {
    "on" : true
  }
}
`)
  })

  it('keeps the digits of numbers in answers that are bytes', () => {
    const jsonBytes = Buffer.from('{"score":1.0,"long":9223372036854775807,"text":"a:{b}[,]\\\\\\""}')
    const options = { pretty: true, filterPath: undefined, answer: answerFormat(undefined, undefined) }
    expect(renderAnswer({ jsonBytes }, options).body.toString('utf8')).toBe(
      '{\n  "score" : 1.0,\n  "long" : 9223372036854775807,\n  "text" : "a:{b}[,]\\\\\\""\n}\n',
    )
  })
})

describe('filter_path', () => {
  const health = { cluster_name: 'c', status: 'green', timed_out: false, active_shards: 3, unassigned_shards: 0 }
  const hits = {
    took: 1,
    hits: { total: { value: 2 }, hits: [{ _id: '1', _source: { a: { b: 1 }, c: 2 } }, { _id: '2' }] },
  }

  it.each([
    ['status,*_shards', health, { status: 'green', active_shards: 3, unassigned_shards: 0 }],
    ['hits.hits._id', hits, { hits: { hits: [{ _id: '1' }, { _id: '2' }] } }],
    ['**._id', hits, { hits: { hits: [{ _id: '1' }, { _id: '2' }] } }],
    ['hits.hits._source.a.*', hits, { hits: { hits: [{ _source: { a: { b: 1 } } }] } }],
    ['-hits.hits', hits, { took: 1, hits: { total: { value: 2 } } }],
    ['hits,-**._source', hits, { hits: { total: { value: 2 }, hits: [{ _id: '1' }, { _id: '2' }] } }],
    ['nothing', health, {}],
    ['a\\.b', { 'a.b': 1, a: { b: 2 } }, { 'a.b': 1 }],
    ['**', health, health],
    ['', health, health],
  ])('%s', (filterPath, json, expected) => {
    expect(JSON.parse(render(json, { filterPath }))).toEqual(expected)
  })

  it('leaves items of a bulk in order and drops what succeeded', () => {
    const json = { errors: true, items: [{ index: { status: 201 } }, { index: { status: 400, error: { type: 'x' } } }] }
    expect(render(json, { filterPath: 'errors,items.*.error' })).toBe(
      '{"errors":true,"items":[{"index":{"error":{"type":"x"}}}]}',
    )
  })
})

describe('content negotiation', () => {
  it.each([
    ['application/vnd.elasticsearch+json; compatible-with=8', 'application/vnd.elasticsearch+json;compatible-with=8'],
    ['application/vnd.elasticsearch+json;compatible-with=9', 'application/vnd.elasticsearch+json;compatible-with=9'],
    ['application/vnd.elasticsearch+json; compatible-with=9,text/plain', 'application/json'],
    ['*/*', 'application/json'],
    [undefined, 'application/json'],
  ])('answers Accept: %s with %s', (accept, type) => {
    expect(answerFormat(accept, undefined).jsonType).toBe(type)
  })

  it('lets format win over Accept', () => {
    expect(answerFormat('text/plain', 'json').format).toBe('json')
    expect(answerFormat('application/json', undefined).format).toBe('json')
    expect(answerFormat('application/json,text/plain', undefined).format).toBeUndefined()
  })

  it('writes YAML', () => {
    expect(render({ a: [1, 'x'] }, { format: 'yaml' })).toBe('---\na:\n  - 1\n  - "x"\n')
  })
})
