import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

interface Found {
  readonly hits: {
    readonly hits: {
      readonly _id: string
      readonly _source?: unknown
      readonly fields?: Record<string, unknown>
      readonly sort?: unknown[]
    }[]
  }
}

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('mapped', {
    runtime: { 'size.kb': { type: 'double', script: { source: "emit(doc['bytes'].value / 1024.0)" } } },
    properties: { bytes: { type: 'long' }, secret: { type: 'keyword' } },
  })
  await logs.services.write('mapped', [
    ['1', { bytes: 1024, secret: 'a' }],
    ['2', { bytes: 4096, secret: 'b' }],
  ])
})
afterAll(() => logs.services.close())

async function found(body: unknown, index?: string) {
  const { hits } = (await logs.answer(body, {}, index)) as unknown as Found
  return hits.hits
}
const ids = async (body: unknown, index?: string) => (await found(body, index)).map(({ _id }) => _id)

const runtime = {
  hour: { type: 'long', script: "if (doc['@timestamp'].size() > 0) { emit(doc['@timestamp'].value.hour) }" },
  letters: { type: 'keyword', script: "for (def tag : doc['tags']) { emit(tag.toUpperCase()) }" },
  heavy: {
    type: 'boolean',
    script: { source: "emit(doc['load'].size() > 0 && doc['load'].value > params.least)", params: { least: 1 } },
  },
  network: { type: 'ip', script: "for (def ip : doc['host.ip']) { if (ip.contains('.')) emit(ip) }" },
  later: {
    type: 'date',
    script:
      "if (doc.containsKey('@timestamp') && doc['@timestamp'].size() > 0) emit(doc['@timestamp'].value.plusDays(1).toInstant().toEpochMilli())",
  },
  message: { type: 'keyword' },
}

describe('runtime fields of a request', () => {
  const search = (query: unknown, more: object = {}) =>
    ids({ query, runtime_mappings: runtime, sort: ['_doc'], ...more })

  it('are searched as mapped fields of their type are', async () => {
    expect(await search({ range: { hour: { gte: 10, lt: 11 } } })).toEqual(['1', '2'])
    expect(await search({ term: { letters: 'B' } })).toEqual(['1', '4'])
    expect(await search({ term: { heavy: true } })).toEqual(['2', '3'])
    expect(await search({ term: { network: '10.0.0.0/24' } })).toEqual(['1', '2'])
    expect(await search({ range: { later: { gte: '2026-11-22', time_zone: '+00:00' } } })).toEqual(['1', '2', '3'])
    expect(await search({ bool: { must_not: { exists: { field: 'letters' } } } })).toEqual(['3', '5'])
    expect(await search({ wildcard: { message: '*password*' } })).toEqual(['1', '2', '5'])
    expect(await search({ bool: { should: [{ term: { hour: 9 } }, { term: { status: 500 } }] } })).toEqual(['3', '4'])
  })

  it('sort, aggregate and show their values', async () => {
    const hits = await found({
      runtime_mappings: runtime,
      sort: [{ hour: 'desc' }, { letters: { order: 'asc', missing: '_last' } }],
      fields: ['hour', { field: 'later', format: 'yyyy-MM-dd' }, 'letters'],
      _source: false,
      size: 2,
    })
    expect(hits.map(({ _id, sort }) => [_id, sort])).toEqual([
      ['3', [11, null]],
      ['1', [10, 'A']],
    ])
    expect(hits[1]?.fields).toEqual({ hour: [10], later: ['2026-11-22'], letters: ['A', 'B'] })
    expect(
      await logs.aggs(
        {
          hours: { terms: { field: 'hour' }, aggs: { letters: { terms: { field: 'letters' } } } },
          all: { global: {}, aggs: { most: { max: { field: 'hour' } } } },
        },
        { runtime_mappings: runtime, query: { term: { 'host.name': 'web-1' } } },
      ),
    ).toMatchObject({
      hours: {
        buckets: [
          {
            key: 10,
            doc_count: 2,
            letters: {
              buckets: [
                { key: 'A', doc_count: 2 },
                { key: 'B', doc_count: 1 },
              ],
            },
          },
        ],
      },
      all: { doc_count: 5, most: { value: 11 } },
    })
  })

  it('may be made of each other, but not of themselves', async () => {
    const chained = {
      ...runtime,
      half: { type: 'double', script: "if (doc['hour'].size() > 0) emit(doc['hour'].value / 2.0)" },
    }
    expect(await ids({ query: { term: { half: 5.5 } }, runtime_mappings: chained })).toEqual(['3'])
    const circle = {
      a: { type: 'long', script: "emit(doc['b'].value)" },
      b: { type: 'long', script: "emit(doc['a'].value)" },
    }
    await expect(ids({ query: { term: { a: 1 } }, runtime_mappings: circle })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('a -> b -> a') },
    })
  })

  it('refuses unknown types and parameters', async () => {
    await expect(ids({ runtime_mappings: { a: { type: 'nested' } } })).rejects.toMatchObject({
      cause: { code: 'mapper_parsing_exception', message: expect.stringContaining('[nested]') },
    })
    await expect(ids({ runtime_mappings: { a: { type: 'long', scripts: '' } } })).rejects.toThrow('[scripts]')
    await expect(
      ids({ query: { term: { a: 1 } }, runtime_mappings: { a: { type: 'long', script: 'emit(' } } }, 'other'),
    ).rejects.toMatchObject({
      cause: { code: 'script_exception' },
    })
  })
})

describe('runtime fields of a mapping', () => {
  it('are there without being named', async () => {
    expect(await ids({ query: { range: { 'size.kb': { gt: 1 } } } }, 'mapped')).toEqual(['2'])
    const [hit] = await found({ query: { term: { secret: 'a' } }, fields: ['size.*'] }, 'mapped')
    expect(hit?.fields).toEqual({ 'size.kb': [1] })
  })
})

describe('scripts', () => {
  it('filter documents', async () => {
    const over = (source: string) => ({ script: { script: { source, params: { least: 404 } } } })
    expect(
      await ids({ query: over("doc['status'].size() > 0 && doc['status'].value >= params.least"), sort: '_doc' }),
    ).toEqual(['2', '3'])
    const both = { bool: { filter: [{ term: { 'host.name': 'web-1' } }, over("doc['status'].value >= params.least")] } }
    expect(await ids({ query: both })).toEqual(['2'])
    await expect(ids({ query: over("doc['status'].value > 1") })).rejects.toMatchObject({
      code: 'search_phase_execution_exception',
    })
  })

  it('sort documents by a number or a text', async () => {
    const by = (type: string, source: string, order: string) => [{ _script: { type, script: source, order } }]
    const status = "doc['status'].size() == 0 ? -1 : -doc['status'].value"
    expect(await ids({ sort: [...by('number', status, 'asc'), '_doc'] })).toEqual(['3', '2', '1', '4', '5'])
    const hits = await found({ sort: by('string', "doc['_id'].value + '!'", 'desc'), size: 2 })
    expect(hits.map(({ sort }) => sort)).toEqual([['5!'], ['4!']])
    await expect(found({ sort: [{ _script: { script: '1' } }] })).rejects.toMatchObject({ message: 'Required [type]' })
    await expect(found({ sort: [{ _script: {} }] })).rejects.toMatchObject({ message: 'Required [script, type]' })
  })

  it('show values beside hits, without the source unless it is asked for', async () => {
    const [hit] = await found({
      query: { ids: { values: ['2'] } },
      script_fields: {
        twice: { script: "doc['load'].value * 2" },
        all: { script: 'params._source.tags' },
        when: { script: "doc['@timestamp'].value" },
        broken: { script: "doc['tags'].value.nothing()", ignore_failure: true },
      },
    })
    expect(hit?._source).toBe(undefined)
    expect(hit?.fields).toEqual({ twice: [3], all: ['a'], when: ['2026-11-21T10:30:00.000Z'] })
  })
})

describe('scripts of aggregations', () => {
  it('give buckets and numbers once for each document', async () => {
    const answer = await logs.aggs({
      hosts: { terms: { script: "doc['host.name'].size() == 0 ? 'none' : doc['host.name'].value.toUpperCase()" } },
      scores: { terms: { script: '_score' } },
      load: {
        sum: { script: { source: "doc['load'].size() == 0 ? 0 : doc['load'].value * params.by", params: { by: 2 } } },
      },
    })
    expect(answer).toMatchObject({
      hosts: {
        buckets: [
          { key: 'WEB-1', doc_count: 2 },
          { key: 'DB-1', doc_count: 1 },
          { key: 'DB-2', doc_count: 1 },
          { key: 'none', doc_count: 1 },
        ],
      },
      scores: { buckets: [{ key: '1.0', doc_count: 5 }] },
      load: { value: 8 },
    })
  })

  it('run for each value of a field, as _value', async () => {
    const answer = await logs.aggs({
      tags: { terms: { field: 'tags', script: "_value + '!'" } },
      most: { max: { field: 'status', script: '_value + 1' } },
      none: { terms: { field: 'nothing', script: '_value' } },
    })
    expect(answer).toMatchObject({
      tags: {
        buckets: [
          { key: 'a!', doc_count: 2 },
          { key: 'b!', doc_count: 2 },
          { key: 'c!', doc_count: 1 },
        ],
      },
      most: { value: 501 },
      none: { buckets: [] },
    })
  })

  it('may not give what holds itself', async () => {
    const script = 'def x = [:]; def y = [:]; x.a = y; y.a = x; return x'
    await expect(logs.aggs({ loop: { terms: { script } } })).rejects.toMatchObject({
      cause: { message: 'Iterable object is self-referencing itself (ScriptBytesValues value)' },
    })
  })
})

describe('values of points and binaries', () => {
  it('are objects with members in scripts', async () => {
    await logs.services.create('places', { properties: { at: { type: 'geo_point' }, blob: { type: 'binary' } } })
    await logs.services.write('places', [['1', { at: { lat: 41.12, lon: -71.34 }, blob: 'U29tZSBibG9i' }]])
    const [hit] = await found(
      {
        script_fields: {
          point: { script: "doc['at'].value" },
          near: { script: "doc['at'].arcDistance(41.12, -71.34) < 1 && doc['at'].lat > 41" },
          text: { script: "doc['blob'].value.utf8ToString()" },
        },
      },
      'places',
    )
    expect(hit?.fields).toEqual({
      point: [{ lat: 41.1199999647215, lon: -71.34000004269183 }],
      near: [true],
      text: ['Some blob'],
    })
  })
})

describe('a script that cannot be compiled', () => {
  const broken = { script: 'foo(' }

  it('is an error of a search also where nothing is found', async () => {
    await logs.services.create('nothing', {})
    for (const index of ['nothing', 'mapped'])
      for (const body of [{ script_fields: { x: broken } }, { runtime_mappings: { x: { type: 'long', ...broken } } }])
        await expect(found({ query: { match_none: {} }, ...body }, index)).rejects.toMatchObject({
          cause: { message: 'compile error' },
        })
  })

  it('is no part of a mapping', async () => {
    for (const mapping of [
      { runtime: { x: { type: 'long', ...broken } } },
      { derived: { x: { type: 'long', ...broken } } },
    ])
      await expect(logs.services.create('broken', mapping)).rejects.toThrow('compile error')
  })
})
