import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// What the last hit of a page shows as its sort values is what the next page goes on from, whatever the format of a date.

let search: NotedSearch
const count = 12
const startMs = Date.UTC(2026, 0, 1)

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  await search.services.create('dates', {
    properties: {
      plain: { type: 'date' },
      early: { type: 'date' },
      seconds: { type: 'date', format: 'epoch_second' },
      day: { type: 'date', format: 'yyyy-MM-dd' },
      nanos: { type: 'date_nanos' },
    },
  })
  const documents = Array.from({ length: count }, (_, n): [string, object] => {
    const two = String(n + 1).padStart(2, '0')
    const ms = startMs + n * 1000
    return [
      String(n),
      {
        plain: ms,
        early: new Date(n * 700 - 5000).toISOString(),
        seconds: ms / 1000,
        day: `2026-01-${two}`,
        ...(n === count - 1 ? {} : { nanos: `2026-01-01T00:00:00.0000000${two}Z` }),
      },
    ]
  })
  await search.services.write('dates', documents)
})
afterAll(() => search.services.close())

interface Page {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly sort: readonly unknown[] }[] }
}

it.each(
  ['plain', 'early', 'seconds', 'day', 'nanos'].flatMap((field) => [[field, 'asc'] as const, [field, 'desc'] as const]),
)('goes on by %s, %s', async (field, order) => {
  const sort = [{ [field]: order }, '_doc']
  const found: string[] = []
  let after: readonly unknown[] | undefined
  for (let page = 0; page <= count; page += 1) {
    const body = { size: 2, sort, ...(after ? { search_after: after } : {}) }
    const { hits } = (await search.ask<Page>('dates', body)).hits
    if (hits.length === 0) break
    found.push(...hits.map(({ _id }) => _id))
    // Numbers beyond 2^53 as exact readers of JSON have them: in nanoseconds a double is not the time of the last hit.
    const last = hits.at(-1)
    after = last?.sort.map((value) =>
      field === 'nanos' && Number(last._id) < count - 1 && value === last.sort[0]
        ? BigInt(startMs) * 1_000_000n + BigInt(Number(last._id) + 1)
        : value,
    )
  }
  const all = Array.from({ length: count }, (_, n) => String(n))
  const missingLast = field === 'nanos' && order === 'desc'
  const expected =
    order === 'asc' ? all : missingLast ? [...all.slice(0, -1).reverse(), String(count - 1)] : all.reverse()
  expect(found).toEqual(expected)
})
