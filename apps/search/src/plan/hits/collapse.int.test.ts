import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs

/** Values that are many, missing and alike, so that the order of arrival decides, too. */
const documents = Array.from({ length: 400 }, (_, n) => ({
  '@timestamp': new Date(Date.UTC(2026, 10, 21, 8) + ((n * 37) % 50) * 1_000).toISOString(),
  n,
  ...(n % 9 === 0 ? {} : { group: `g${(n * n) % 23}` }),
  ...(n % 5 === 0 ? {} : { half: (((n * 11) % 7) - 3) / 2 }),
  ...(n % 8 === 0 ? {} : { name: `k${(n * 7) % 13}` }),
  far: (n * 13) % 6,
  text: `fox ${'quick '.repeat(n % 4)}`,
}))

beforeAll(async () => {
  logs = await openSampleLogs()
  for (const [index, type] of [
    ['few-1', 'long'],
    ['few-2', 'double'],
  ] as const) {
    await logs.services.create(index, {
      properties: {
        '@timestamp': { type: 'date' },
        n: { type: 'integer' },
        group: { type: 'keyword' },
        half: { type: 'double' },
        name: { type: 'keyword' },
        far: { type },
        text: { type: 'text' },
      },
    })
    const own = documents.filter(({ n }) => (n % 3 === 0) === (index === 'few-2'))
    await logs.services.write(
      index,
      own.map((document) => [String(document.n), document]),
    )
  }
})
afterAll(() => logs.services.close())

interface Found {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly sort?: readonly unknown[] }[] }
}

const ask = async (body: object, indices: string) =>
  ((await logs.answer(body, { request_cache: 'false' }, indices)) as unknown as Found).hits.hits

const orders: Readonly<Record<string, object>> = {
  'by arrival': {},
  'by time': { sort: [{ '@timestamp': 'desc' }] },
  'by time, the oldest first': { sort: ['@timestamp', { half: 'desc' }] },
  'by doubles': { sort: [{ half: 'desc' }] },
  'by doubles, missing ones first': { sort: [{ half: { missing: '_first' } }, { n: 'desc' }] },
  'by arrival, the last first': { sort: [{ _doc: 'desc' }] },
  'by a number and the last arrival': { sort: ['far', { _doc: 'desc' }] },
  'by texts': { sort: ['name', { far: 'desc' }] },
  'by four numbers': { sort: ['far', { half: 'desc' }, { '@timestamp': 'desc' }, { n: 'desc' }] },
  'by score': { query: { match: { text: 'quick' } } },
}

it.each(Object.entries(orders))('finds the first hit of each value among all hits: %s', async (_, body) => {
  for (const indices of ['few-1', 'few-1,few-2']) {
    const all = await ask({ ...body, size: documents.length }, indices)
    const groupOf = (id: string) => documents[Number(id)]?.group
    const firsts = all.filter(({ _id }, at) => all.findIndex((one) => groupOf(one._id) === groupOf(_id)) === at)
    for (const size of [1, 7, 100]) {
      const found = await ask({ ...body, size, collapse: { field: 'group' } }, indices)
      expect(found.map(({ _id, sort }) => [_id, sort])).toEqual(
        firsts.slice(0, size).map(({ _id, sort }) => [_id, sort]),
      )
    }
  }
})
