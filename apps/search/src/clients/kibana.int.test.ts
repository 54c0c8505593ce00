import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'
import * as kibana from './kibana-requests.fixture.ts'
import { type SampleEvent, sampleEvents, sampleMappings } from './sample-events.testing.ts'

// Kibana's requests, as it sends them: through `_async_search`, and what it reads of the answers; every value is counted by hand.
const send = searchOverWire()
const index = 'logs-kibana'
const events = sampleEvents(600)
const started = Date.UTC(2026, 10, 21, 8)
const at = (minute: number) => new Date(started + minute * 60_000).toISOString()
const all = { from: at(0), to: at(10) }
const of = (test: (event: SampleEvent) => boolean) => events.filter(test)
const average = (values: readonly SampleEvent[]) => values.reduce((sum, { n }) => sum + n, 0) / values.length

beforeAll(async () => {
  await send(`/${index}`, { method: 'PUT', body: { mappings: sampleMappings } })
  const body = events.map((event) => `{"create":{"_id":"${event.n}"}}\n${JSON.stringify(event)}\n`).join('')
  const headers = { 'content-type': 'application/x-ndjson' }
  await send(`/${index}/_bulk?refresh=true`, { method: 'POST', body, headers })
})

interface Hit {
  readonly _id: string
  readonly sort: readonly unknown[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly highlight?: Readonly<Record<string, unknown>>
}
interface Answer {
  readonly hits: { readonly total?: unknown; readonly hits: readonly Hit[] }
  // Each is looked at as a whole.
  readonly aggregations: Readonly<Record<string, { readonly buckets: unknown }>>
}

const parameters =
  '?batched_reduce_size=64&ccs_minimize_roundtrips=true&wait_for_completion_timeout=30s&keep_on_completion=false&keep_alive=60000ms&ignore_unavailable=true&preference=1795317932'

async function ask(body: object): Promise<Answer> {
  const answer = await send(`/${index}/_async_search${parameters}`, { method: 'POST', body })
  expect(answer.status, answer.text).toBe(200)
  const { response, ...state } = answer.json() as { response: Answer }
  expect(state).toMatchObject({ is_partial: false, is_running: false })
  return response
}

describe('Kibana: data views', () => {
  it('finds indices and their fields', async () => {
    const found = (await send('/_resolve/index/logs-*?expand_wildcards=open')).json()
    expect(found).toMatchObject({ indices: [{ name: index }], aliases: [], data_streams: [] })
    const body = { index_filter: { range: { '@timestamp': { gte: all.from, lte: all.to } } } }
    const path = '/logs-*/_field_caps?fields=*&ignore_unavailable=true&allow_no_indices=false&filters=-parent'
    const { fields } = (await send(path, { method: 'POST', body })).json() as { fields: Record<string, object> }
    const types = Object.fromEntries(Object.entries(fields).map(([name, caps]) => [name, Object.keys(caps)]))
    expect(types).toMatchObject({ '@timestamp': ['date'], message: ['text'], 'source.ip': ['ip'], tags: ['keyword'] })
    expect(types).not.toHaveProperty('source')
  })
})

describe('Kibana: Discover', () => {
  it('shows documents with all their fields, and marks what was looked for', async () => {
    const { hits } = await ask(kibana.documents(all, 3, kibana.kql('message', 'test'), kibana.kql('level', 'error')))
    expect(hits).not.toHaveProperty('total')
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['590', '580', '570'])
    const [event] = of(({ n }) => n === 590)
    expect(hits.hits[0]).toMatchObject({
      _index: index,
      _version: 1,
      sort: [event?.['@timestamp'], expect.any(Number)],
      fields: {
        '@timestamp': [event?.['@timestamp']],
        message: [event?.message],
        'message.raw': [event?.message],
        level: ['error'],
        n: [590],
        'source.ip': ['192.0.2.90'],
        'source.port': [1_614],
        tags: ['web'],
      },
    })
    expect(hits.hits[0]).not.toHaveProperty('_source')
    expect(hits.hits[0]?.fields).not.toHaveProperty('note')
    const marked = (text: string) => `@kibana-highlighted-field@${text}@/kibana-highlighted-field@`
    expect(hits.hits[0]?.highlight).toMatchObject({
      message: [event?.message.replace('test', marked('test'))],
      level: [marked('error')],
    })
  })

  it('draws the chart above them in the zone of the browser', async () => {
    const answer = await ask(kibana.chart(all))
    expect(answer.hits.total).toEqual({ value: 600, relation: 'eq' })
    expect(answer.aggregations[2]?.buckets).toEqual(
      Array.from({ length: 10 }, (_, minute) => ({
        key: started + minute * 60_000,
        // Half past one in the afternoon there.
        key_as_string: `2026-11-21T13:3${minute}:00.000+05:30`,
        doc_count: 60,
      })),
    )
  })

  it('finds one document, and those around it', async () => {
    const { hits } = await ask(kibana.single('300'))
    expect(hits.hits).toMatchObject([{ _id: '300', _version: 1, _source: events[300], fields: { n: [300] } }])
    const { hits: first } = await ask(kibana.documents({ from: at(5), to: at(5) }, 1))
    const after = first.hits[0]?.sort ?? []
    const ids = async (way: 'asc' | 'desc') =>
      (await ask(kibana.surrounding(way, after))).hits.hits.map(({ _id }) => _id)
    expect([await ids('asc'), await ids('desc')]).toEqual([
      ['301', '302', '303'],
      ['299', '298', '297'],
    ])
  })
})

describe('Kibana: fields and controls', () => {
  it('tells the statistics of a field', async () => {
    const { aggregations } = await ask(kibana.fieldStatistics(all, 'tags', 'n'))
    const third = of(({ n }) => n % 3 === 0).length
    expect(aggregations['sample']).toEqual({
      doc_count: 600,
      sample_count: { value: 600 + third },
      top_values: {
        doc_count_error_upper_bound: 0,
        sum_other_doc_count: 0,
        buckets: [
          { key: 'web', doc_count: 600 },
          { key: 'third', doc_count: third },
        ],
      },
      min_value: { value: 0 },
      max_value: { value: 599 },
    })
  })

  it('offers the values of a control', async () => {
    const { aggregations } = await ask(kibana.options(all, 'tags', 'th', ['web', 'none']))
    expect(aggregations).toMatchObject({
      suggestions: { buckets: [{ key: 'third', doc_count: 200 }] },
      unique_terms: { value: 2 },
      validation: { buckets: { web: { doc_count: 600 }, none: { doc_count: 0 } } },
    })
  })
})

describe('Kibana: charts', () => {
  it('draws bars over time of the best term, and what the others are', async () => {
    const { aggregations } = await ask(kibana.bars(all))
    // The average of errors from 100 on is 345, that of the others 349.8….
    const infos = of(({ level, n }) => level === 'info' && n >= 100)
    const within = (from: number, to: number) => {
      const own = infos.filter(({ n }) => n >= from && n < to)
      return { doc_count: own.length, '2-metric': { value: average(own) } }
    }
    expect(aggregations[0]).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 60,
      buckets: [
        {
          key: 'info',
          doc_count: 540,
          1: {
            buckets: [
              { ...bucketAt(0), doc_count: 270, '2-bucket': within(100, 300) },
              { ...bucketAt(5), doc_count: 270, '2-bucket': within(300, 600) },
              { ...bucketAt(10), doc_count: 0, '2-bucket': { doc_count: 0, '2-metric': { value: null } } },
            ],
          },
          '2-bucket': within(100, 600),
        },
      ],
    })
    const rest = await ask(kibana.others(all, 'level', ['info']))
    const errors = of(({ level }) => level === 'error')
    expect(rest.aggregations['other-filter']).toEqual({
      buckets: { '': { doc_count: 60, 1: { value: average(errors) * errors.length } } },
    })
  })
})

describe('Kibana: metrics', () => {
  it('shows metrics of now and of the time before', async () => {
    const now = { from: at(5), to: new Date(started + 10 * 60_000 - 1).toISOString() }
    const before = { from: at(0), to: new Date(started + 5 * 60_000 - 1).toISOString() }
    const { aggregations } = await ask(kibana.metrics(now, before))
    const side = (from: number) => {
      const last = events[from + 299]
      const [first] = events.slice(from)
      return {
        doc_count: 300,
        unique: { value: 250 },
        // Of an even number the greater of the two in the middle.
        median: { values: { '50.0': from + 149.5 } },
        rank: { values: { '10000.0': 100 } },
        'last-bucket': { doc_count: 300, 'last-metric': { top: [{ metrics: { level: last?.level } }] } },
        shown: {
          hits: {
            total: { value: 300, relation: 'eq' },
            hits: [{ _id: String(from + 299), fields: { 'source.ip': [last?.source.ip] } }],
          },
        },
        formatted: {
          hits: {
            hits: [
              {
                _id: String(from),
                _source: { '@timestamp': first?.['@timestamp'] },
                fields: { '@timestamp': [first?.['@timestamp']] },
                sort: [from],
              },
            ],
          },
        },
      }
    }
    const { buckets } = aggregations['time_offset_split'] as { buckets: Record<string, Record<string, unknown>> }
    expect(buckets).toMatchObject({ regular: side(300), '5m': side(0) })
    const deviation = buckets['regular']?.['deviation'] as { std_deviation: number }
    expect(deviation.std_deviation).toBeCloseTo(Math.sqrt((300 * 300 - 1) / 12), 8)
  })
})

describe('Kibana: tables', () => {
  it('fills tables', async () => {
    const { aggregations } = await ask(kibana.tables(all))
    const count = (test: (event: SampleEvent) => boolean) => of(test).length
    const pair = (level: string, tag: string) => ({
      key: [level, tag],
      key_as_string: `${level}|${tag}`,
      doc_count: count((event) => event.level === level && event.tags.includes(tag)),
    })
    expect(aggregations[0]?.buckets).toEqual([
      pair('info', 'web'),
      pair('info', 'third'),
      pair('error', 'web'),
      pair('error', 'third'),
    ])
    expect(aggregations[1]?.buckets).toEqual({
      '0.0-100.0': { from: 0, to: 100, doc_count: 100 },
      '100.0-*': { from: 100, doc_count: 500 },
    })
    expect(aggregations[2]?.buckets).toMatchObject(
      [0, 300].map((key) => ({
        key,
        doc_count: 300,
        3: {
          buckets: [
            { key: 'error', doc_count: 30 },
            { key: 'info', doc_count: 270 },
          ],
        },
      })),
    )
    expect(aggregations[4]).toEqual({ value: 600 })
    // All documents are in the foreground, so that nothing stands out.
    expect(aggregations[5]).toMatchObject({ doc_count: 600, bg_count: 600, buckets: [] })
    const unnoted = count(({ level, note }) => level === 'error' && note === null)
    expect(aggregations[6]).toEqual({ doc_count: 60, 7: { doc_count: unnoted } })
  })
})

describe('Kibana: TSVB', () => {
  it('draws the series of TSVB', async () => {
    const { aggregations } = await ask(kibana.timeSeries(all))
    const series = (first: number, second: number) => ({
      timeseries: {
        buckets: [
          { ...bucketAt(0), most: { value: first } },
          {
            ...bucketAt(5),
            most: { value: second },
            grown: { value: second - first, normalized_value: (second - first) / 300 },
            positive: { value: (second - first) / 300 },
          },
          { ...bucketAt(10), doc_count: 0, most: { value: null } },
        ],
      },
    })
    expect(aggregations['q']).toMatchObject({
      meta: { seriesId: 'q' },
      buckets: { e: { doc_count: 60, ...series(290, 590) }, rest: { doc_count: 600, ...series(299, 599) } },
    })
  })
})

function bucketAt(minute: number): object {
  return { key: started + minute * 60_000, key_as_string: at(minute) }
}
