import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'
import * as grafana from './grafana-requests.fixture.ts'
import { type SampleEvent, sampleEvents, sampleMappings } from './sample-events.testing.ts'

// Grafana's requests, and what it reads of their answers: every value is counted by hand from the events.
const send = searchOverWire()
const index = 'grafana-logs'
const events = sampleEvents(600)
const from = Date.UTC(2026, 10, 21, 8)
const range = { from, to: from + 10 * 60_000 - 1 }
const minutes = Array.from({ length: 10 }, (_, minute) => minute)
const numbers = (test: (event: SampleEvent) => boolean) => events.filter(test).map(({ n }) => n)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

beforeAll(async () => {
  await send(`/${index}`, { method: 'PUT', body: { mappings: sampleMappings } })
  const body = events.map((event) => `{"create":{"_id":"${event.n}"}}\n${JSON.stringify(event)}\n`).join('')
  const headers = { 'content-type': 'application/x-ndjson' }
  await send(`/${index}/_bulk?refresh=true`, { method: 'POST', body, headers })
})

interface Bucket {
  readonly key: unknown
  readonly doc_count: number
  readonly [name: string]: unknown
}
interface Hit {
  readonly _id: string
  readonly _index: string
  readonly _source: SampleEvent
  readonly sort: readonly number[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly highlight?: Readonly<Record<string, unknown>>
}
interface Answer {
  readonly status: number
  readonly hits: { readonly total: unknown; readonly hits: readonly Hit[] }
  readonly aggregations: Readonly<Record<string, { readonly buckets: readonly Bucket[] }>>
  readonly error: { readonly type: string; readonly reason: string; readonly root_cause: readonly object[] }
}

/** The answers to searches that are sent together, as many and in their order. */
async function ask(...bodies: readonly object[]): Promise<Answer[]> {
  const answer = await send('/_msearch?max_concurrent_shard_requests=5', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: grafana.multiSearch(bodies.map((body) => ('index' in body ? (body as never) : { index, body }))),
  })
  expect(answer.status).toBe(200)
  const { responses } = answer.json() as { responses: Answer[] }
  expect(responses).toHaveLength(bodies.length)
  return responses
}

async function one(body: object): Promise<Answer> {
  const [answer] = await ask(body)
  if (!answer) throw new Error('there is no answer')
  return answer
}

describe('Grafana: save and test, and the editor', () => {
  it('finds the server, its health and the time field', async () => {
    expect((await send('/')).json()).toMatchObject({ version: { number: expect.stringMatching(/^8\./u) } })
    const health = (await send('/_cluster/health?wait_for_status=yellow')).json()
    expect(health).toMatchObject({ status: 'green', timed_out: false })
    const fields = (await send(`/${index}/_field_caps?fields=@timestamp`)).json()
    expect(fields).toEqual({
      indices: [index],
      fields: {
        '@timestamp': { date: { type: 'date', metadata_field: false, searchable: true, aggregatable: true } },
      },
    })
    expect((await send(`/nowhere/_field_caps?fields=*`)).status).toBe(404)
    expect((await send(`/${index}/_mapping`)).json()).toEqual({ [index]: { mappings: sampleMappings } })
  })

  it('lists fields with their types', async () => {
    const { fields } = (await send(`/${index}/_field_caps?fields=*`)).json() as {
      fields: Record<string, Record<string, unknown>>
    }
    const types = Object.fromEntries(Object.entries(fields).map(([name, caps]) => [name, Object.keys(caps)]))
    expect(types).toMatchObject({
      '@timestamp': ['date'],
      message: ['text'],
      'message.raw': ['keyword'],
      n: ['long'],
      source: ['object'],
      'source.ip': ['ip'],
      _index: ['_index'],
    })
  })
})

describe('Grafana: metrics', () => {
  it('draws metrics over time', async () => {
    const { buckets = [] } = (await one(grafana.metricsOverTime(range))).aggregations[2] ?? {}
    const deviation = Math.sqrt((60 * 60 - 1) / 12)
    const average = (minute: number) => 60 * minute + 29.5
    const expected = minutes.map((minute) => {
      const before = [minute - 3, minute - 2, minute - 1].filter((at) => at >= 0).map(average)
      return {
        key: from + minute * 60_000,
        key_as_string: String(from + minute * 60_000),
        doc_count: 60,
        1: { value: average(minute) },
        3: { value: 60 * minute },
        4: { value: 60 * minute + 59 },
        5: { value: 60 * average(minute) },
        6: { value: 2 },
        // Of an even number the greater of the two in the middle.
        7: { values: { '50.0': 60 * minute + 29.5, '100.0': 60 * minute + 59 } },
        10: { value: before.length === 0 ? null : sum(before) / before.length },
        11: { value: 60 * (minute + 1) },
        13: { value: 59 },
        14: { top: [{ metrics: { 'source.port': 1_024 + 60 * minute + 59 } }] },
        ...(minute === 0 ? {} : { 9: { value: 60, normalized_value: 60 } }),
        ...(minute < 2 ? {} : { 12: { value: 120 } }),
      }
    })
    expect(buckets).toMatchObject(expected)
    for (const [minute, bucket] of buckets.entries()) {
      const stats = bucket[8] as { std_deviation: number; std_deviation_bounds: Record<string, number> }
      expect(stats.std_deviation).toBeCloseTo(deviation, 8)
      expect(stats.std_deviation_bounds['upper']).toBeCloseTo(average(minute) + 3 * deviation, 8)
      expect(stats.std_deviation_bounds['lower']).toBeCloseTo(average(minute) - 3 * deviation, 8)
      expect(bucket).not.toHaveProperty(minute === 0 ? '9' : 'none')
    }
  })

  it('draws a series for each of the best terms', async () => {
    const answer = await one(grafana.groupedOverTime(range))
    const series = (level: string) =>
      [0, 5].map((minute) => {
        const own = events.filter((event) => event.level === level && Math.floor(event.n / 300) === minute / 5)
        const key = from + minute * 60_000
        return { key, key_as_string: String(key), doc_count: own.length, 1: { value: own.at(-1)?.n } }
      })
    expect(answer.aggregations[3]).toEqual({
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [
        { key: 'info', doc_count: 540, 1: { value: 599 }, 2: { buckets: series('info') } },
        { key: 'error', doc_count: 60, 1: { value: 590 }, 2: { buckets: series('error') } },
      ],
    })
  })

  it('groups by queries and by numbers, and sums over groups', async () => {
    const { aggregations } = await one(grafana.groupedOtherwise(range))
    expect(aggregations).toEqual({
      3: { buckets: { 'level:error': { doc_count: 60 }, 'n:>=500': { doc_count: 100 } } },
      4: {
        buckets: [
          { key: 0, doc_count: 250 },
          { key: 250, doc_count: 250 },
          { key: 500, doc_count: 100 },
        ],
      },
      5: expect.objectContaining({ buckets: [expect.anything(), expect.anything()] }),
      6: { value: sum(numbers(() => true)) },
      7: { value: 300, keys: [String(from), String(from + 300_000)] },
    })
  })
})

describe('Grafana: variables', () => {
  it('lists the values of a variable in order', async () => {
    const { aggregations } = await one(grafana.variable(range, 'source.ip'))
    const expected = Array.from({ length: 250 }, (_, at) => ({
      key: `192.0.2.${at}`,
      doc_count: at < 100 ? 3 : 2,
    }))
    expect(aggregations[1]?.buckets).toEqual(expected)
  })
})

describe('Grafana: logs', () => {
  it('shows the newest with marks, and those before', async () => {
    const { hits } = await one(grafana.logs(range, 'event AND level:error'))
    expect(hits.total).toEqual({ value: 60, relation: 'eq' })
    expect(hits.hits.map(({ _source }) => _source)).toEqual([590, 580, 570, 560, 550].map((n) => events[n]))
    const [first] = hits.hits
    expect(first).toMatchObject({ _index: index, _id: '590', sort: [from + 590_000, expect.any(Number)] })
    expect(first?.fields['@timestamp']).toEqual(['2026-11-21T08:09:50.000Z'])
    expect(first?.highlight?.['message']).toEqual([
      events[590]?.message.replace('event', '@HIGHLIGHT@event@/HIGHLIGHT@'),
    ])
    expect(first?.highlight?.['level']).toEqual(['@HIGHLIGHT@error@/HIGHLIGHT@'])
    const before = await one(grafana.logs(range, '*', 'desc', first?.sort))
    expect(before.hits.hits.map(({ _source }) => _source.n)).toEqual([589, 588, 587, 586, 585])
    const behind = await one(grafana.logs(range, '*', 'asc', first?.sort))
    expect(behind.hits.hits.map(({ _source }) => _source.n)).toEqual([591, 592, 593, 594, 595])
  })

  it('draws their volume, and annotations', async () => {
    const [volume, annotated] = await ask(grafana.logVolume(range), grafana.annotations(range))
    const twoMinutes = (each: number) =>
      [0, 2, 4, 6, 8].map((minute) => {
        const key = from + minute * 60_000
        return { key, key_as_string: String(key), doc_count: each }
      })
    expect(volume?.aggregations[3]?.buckets).toEqual([
      { key: 'info', doc_count: 540, 2: { buckets: twoMinutes(108) } },
      { key: 'error', doc_count: 60, 2: { buckets: twoMinutes(12) } },
    ])
    expect(annotated?.hits.hits.map(({ _source }) => _source.n).toSorted((a, b) => a - b)).toEqual(
      numbers(({ level }) => level === 'error'),
    )
  })

  it('gets one answer each, also for an index that is not there and a query that is none', async () => {
    const empty = { index: 'grafana-2020.01.01,grafana-logs-none', body: grafana.logs(range, '*') }
    const [none, broken, fine] = await ask(empty, grafana.logs(range, 'level:['), grafana.logs(range, 'n:7'))
    expect(none).toMatchObject({ status: 200, hits: { total: { value: 0, relation: 'eq' }, hits: [] } })
    expect(broken).toMatchObject({
      status: 400,
      error: {
        type: 'search_phase_execution_exception',
        root_cause: [{ type: 'query_shard_exception', reason: 'Failed to parse query [level:[]' }],
      },
    })
    expect(fine?.hits.hits.map(({ _source }) => _source)).toEqual([events[7]])
  })
})
