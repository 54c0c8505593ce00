import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs

beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('sales', {
    runtime: {
      twice: { type: 'long', script: { source: "if (doc['price'].size() > 0) emit(doc['price'].value * 2)" } },
    },
    properties: {
      at: { type: 'date' },
      many: { type: 'date' },
      span: { type: 'date_range' },
      price: { type: 'long' },
      prices: { type: 'double' },
      kind: { type: 'keyword' },
      paid: { type: 'boolean' },
    },
  })
  await logs.services.write('sales', [
    ['1', { at: '2026-01-10T01:00:00Z', price: 31, prices: [1.5, 2], kind: 'a', span: { gte: '2026-01-01' } }],
    ['2', { at: '2026-01-31T02:00:00Z', price: 62, prices: 0.5, kind: 'b', many: ['2026-01-01', '2026-03-01'] }],
    ['3', { at: '2026-03-29T03:00:00Z', price: 100, kind: 'a', paid: true }],
    ['4', { at: '2026-03-30T04:00:00Z', kind: 'b' }],
  ])
})
afterAll(() => logs.services.close())

interface Bucket {
  readonly key_as_string: string
  readonly key: number
  readonly r: { readonly value: number }
}
const histogram = { field: 'at', calendar_interval: 'month' }
const over = (body: object, rate: object, more: object = {}) =>
  logs.aggs({ d: { date_histogram: body, aggs: { r: { rate }, ...more } } }, {}, 'sales') as Promise<{
    d: { buckets: Bucket[] }
  }>
const values = async (body: object, rate: object) =>
  (await over(body, rate)).d.buckets.map(({ r }) => Number(r.value.toFixed(9)))

describe('the length of a bucket in a unit', () => {
  it('is that of the month where it is counted in days, hours or weeks', async () => {
    expect(await values(histogram, { field: 'price', unit: 'day' })).toEqual([3, 0, Number((100 / 31).toFixed(9))])
    expect(await values({ ...histogram, calendar_interval: 'quarter' }, { field: 'price', unit: '1w' })).toEqual([
      Number((193 / (90 / 7)).toFixed(9)),
    ])
    expect(await values({ ...histogram, calendar_interval: 'year' }, { unit: 'day' })).toEqual([
      Number((4 / 365).toFixed(9)),
    ])
  })

  it('is one hour less in the month in which clocks are put forward, and 24 hours on the day itself', async () => {
    const zone = { time_zone: 'Europe/Berlin' }
    const hours = (31 * 24 - 1) / 24
    expect((await values({ ...histogram, ...zone }, { unit: 'day' })).at(-1)).toBe(Number((2 / hours).toFixed(9)))
    const days = { field: 'at', calendar_interval: 'day', min_doc_count: 1, ...zone }
    expect(await values(days, { unit: 'hour' })).toEqual(Array.from({ length: 4 }, () => Number((1 / 24).toFixed(9))))
  })

  it('counts months, quarters and years in each other, whatever their days', async () => {
    expect(await values(histogram, { field: 'price', unit: 'year' })).toEqual([93 * 12, 0, 1200])
    expect(await values(histogram, { field: 'price', unit: 'quarter' })).toEqual([279, 0, 300])
    expect(await values({ ...histogram, calendar_interval: '1q' }, { field: 'price', unit: 'month' })).toEqual([
      Number((193 / 3).toFixed(9)),
    ])
  })

  it('is a fixed interval by the unit, and one without a unit', async () => {
    const long = { field: 'at', fixed_interval: '200d', offset: '1h' }
    expect(await values(long, { field: 'price', unit: 'week' })).toEqual([Number((193 / (200 / 7)).toFixed(9))])
    expect(await values(long, { field: 'price' })).toEqual([193])
    expect(await values({ field: 'at', interval: 'week', min_doc_count: 1 }, { unit: 'day' })).toEqual(
      [1 / 7, 1 / 7, 1 / 7, 1 / 7].map((value) => Number(value.toFixed(9))),
    )
  })

  it('ends with the month where buckets were moved, as Elasticsearch has it', async () => {
    // 6 January to the end of January are 26 days; the bucket ends on 5 February.
    const moved = await values({ ...histogram, offset: '+5d' }, { field: 'price', unit: 'day' })
    expect(moved[0]).toBe(Number((93 / 26).toFixed(9)))
    const back = await values({ ...histogram, offset: '-5d' }, { field: 'price', unit: 'day' })
    expect(back[0]).toBe(Number((31 / 5).toFixed(9)))
  })
})

describe('what is counted', () => {
  it('are documents, the sum of all values or their number', async () => {
    expect(await values(histogram, {})).toEqual([2, 0, 2])
    expect(await values(histogram, { field: 'prices' })).toEqual([4, 0, 0])
    expect(await values(histogram, { field: 'prices', mode: 'value_count' })).toEqual([3, 0, 0])
    expect(await values(histogram, { field: 'price', mode: 'VALUE_COUNT' })).toEqual([2, 0, 1])
    expect(await values(histogram, { field: 'price', missing: 10 })).toEqual([93, 0, 110])
    expect(await values(histogram, { field: 'prices', missing: 7, mode: 'value_count' })).toEqual([3, 0, 2])
    expect(await values(histogram, { field: 'twice' })).toEqual([186, 0, 200])
    expect(await values(histogram, { field: 'nowhere', unit: 'day' })).toEqual([0, 0, 0])
    expect(await values({ ...histogram, field: 'many' }, {})).toEqual([1, 0, 1])
  })

  it('are the values of a script', async () => {
    const script = "doc['price'].size() == 0 ? 1 : doc['price'].value"
    expect(await values(histogram, { script: { source: script } })).toEqual([93, 0, 101])
    expect(await values(histogram, { field: 'price', script: { source: '_value * 2' } })).toEqual([186, 0, 200])
    expect(await values(histogram, { script: { source: script }, mode: 'value_count' })).toEqual([2, 0, 2])
  })

  it('is shown in a format', async () => {
    const { d } = await over(histogram, { field: 'price', unit: 'day', format: '0.00' })
    expect(d.buckets.map(({ r }) => r)).toMatchObject([
      { value_as_string: '3.00' },
      { value_as_string: '0.00' },
      { value_as_string: '3.23' },
    ])
  })
})

describe('where it stands', () => {
  it('is in buckets by name and below other buckets', async () => {
    const keyed = (await over({ ...histogram, keyed: true, format: 'yyyy-MM' }, { unit: 'month' })) as unknown
    expect(keyed).toMatchObject({ d: { buckets: { '2026-01': { r: { value: 2 } }, '2026-02': { r: { value: 0 } } } } })
    const below = await logs.aggs(
      {
        d: {
          date_histogram: { field: 'at', calendar_interval: 'year' },
          aggs: {
            k: {
              terms: { field: 'kind', order: { r: 'asc' } },
              aggs: { r: { rate: { field: 'price', unit: 'month' } } },
            },
            f: { filter: { term: { kind: 'a' } }, aggs: { r: { rate: { unit: 'quarter' } } } },
          },
        },
      },
      {},
      'sales',
    )
    expect(below).toMatchObject({
      d: {
        buckets: [
          {
            k: {
              buckets: [
                { key: 'b', r: { value: 62 / 12 } },
                { key: 'a', r: { value: 131 / 12 } },
              ],
            },
            f: { r: { value: 0.5 } },
          },
        ],
      },
    })
  })

  it('is in the pages of a composite with one source of dates', async () => {
    const sources = [
      { kind: { terms: { field: 'kind' } } },
      { at: { date_histogram: { field: 'at', calendar_interval: 'month' } } },
    ]
    const page = (given: object[], rate: object) =>
      logs.aggs({ c: { composite: { sources: given }, aggs: { r: { rate } } } }, {}, 'sales')
    expect(await page(sources, { field: 'price', unit: 'day' })).toMatchObject({
      c: { buckets: [{ r: { value: 1 } }, { r: { value: 100 / 31 } }, { r: { value: 2 } }, { r: { value: 0 } }] },
    })
    const not = 'does not have exactly one date histogram value source'
    expect(await reasonsOf(page(sources.slice(0, 1), { unit: 'day' }))).toContain(not)
    const two = [...sources, { many: { date_histogram: { field: 'many', calendar_interval: 'day' } } }]
    expect(await reasonsOf(page(two, {}))).toContain(not)
  })
})

describe('what reads it', () => {
  it('is the order of buckets, by the length of each', async () => {
    const order = async (body: object, rate: object) =>
      (await over({ min_doc_count: 1, ...histogram, ...body, order: { r: 'desc' } }, rate)).d.buckets.map(
        ({ key_as_string: key }) => key.slice(0, 7),
      )
    await logs.services.create('even', { properties: { at: { type: 'date' }, n: { type: 'long' } } })
    await logs.services.write('even', [
      ['1', { at: '2026-01-10', n: 30 }],
      ['2', { at: '2026-02-10', n: 29 }],
      ['3', { at: '2026-04-10', n: 28 }],
    ])
    const even = (zone: object) =>
      logs.aggs(
        {
          d: {
            date_histogram: { ...histogram, ...zone, min_doc_count: 1, order: { r: 'desc' } },
            aggs: { r: { rate: { field: 'n', unit: 'day' } } },
          },
        },
        {},
        'even',
      )
    for (const zone of [{}, { time_zone: 'America/New_York' }, { time_zone: '+02:00' }])
      expect(await even(zone)).toMatchObject({
        d: { buckets: [{ r: { value: 29 / 28 } }, { r: { value: 30 / 31 } }, {}] },
      })
    expect(await order({}, { field: 'price' })).toEqual(['2026-03', '2026-01'])
  })

  it('are pipelines', async () => {
    const { d } = await over(
      histogram,
      { field: 'price', unit: 'day' },
      { twice: { bucket_script: { buckets_path: { r: 'r' }, script: 'params.r * 2' } } },
    )
    expect(d.buckets).toMatchObject([{ twice: { value: 6 } }, {}, { twice: { value: 200 / 31 } }])
  })
})

it('refuses what has no length, no unit and no number', async () => {
  const outside = 'The rate aggregation can only be used inside a date histogram aggregation or composite aggregation'
  const alone = (body: object) => reasonsOf(logs.aggs(body, {}, 'sales') as Promise<unknown>)
  expect(await alone({ r: { rate: { unit: 'day' } } })).toContain(outside)
  expect(await alone({ k: { terms: { field: 'kind' }, aggs: { r: { rate: {} } } } })).toContain(outside)
  const spans = { date_histogram: { field: 'span', calendar_interval: 'month' }, aggs: { r: { rate: {} } } }
  expect(await alone({ d: spans })).toContain(outside)
  const refused = (body: object, rate: object) => reasonsOf(over(body, rate))
  expect(await refused({ field: 'at', calendar_interval: 'week' }, { unit: 'month' })).toContain(
    'Cannot use month-based rate unit [month] with non-month based calendar interval histogram [week]',
  )
  expect(await refused({ field: 'at', fixed_interval: '90m' }, { unit: '1y' })).toContain(
    'Cannot use month-based rate unit [year] with fixed interval based histogram',
  )
  const deep = {
    date_histogram: histogram,
    aggs: { k: { terms: { field: 'kind' }, aggs: { r: { rate: { unit: 'day' } } } } },
  }
  expect(await alone({ d: deep })).toContain(
    'Cannot use non month-based rate unit [day] with calendar interval histogram [month] only month, quarter and year',
  )
  expect(await refused(histogram, { unit: 'decade' })).toContain('Unsupported unit decade')
  expect(await refused(histogram, { mode: 'sum' })).toContain('The mode parameter is only supported with field')
  expect(await refused(histogram, { field: 'price', mode: 'avg' })).toContain('RateMode.AVG')
  for (const field of ['kind', 'paid', 'at'])
    expect(await refused(histogram, { field })).toContain('is not supported for aggregation [rate]')
  // Nothing has a length where nothing was found.
  const nothing = { ...histogram, calendar_interval: 'week' }
  const empty = await logs.aggs(
    { d: { date_histogram: nothing, aggs: { r: { rate: { unit: 'month' } } } } },
    { query: { range: { at: { gte: '2027-01-01' } } } },
    'sales',
  )
  expect(empty).toMatchObject({ d: { buckets: [] } })
})
