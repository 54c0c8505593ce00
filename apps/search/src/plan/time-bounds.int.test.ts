import { afterAll, beforeAll, expect, it } from 'vitest'
import { ident, sql } from '../sql/sql.ts'
import { type NotedSearch, openNotedSearch } from '../testing/noted-search.ts'

const nowMs = Date.UTC(2026, 4, 1)

/** Documents by id, with the time that their field has, in milliseconds; undefined: none. */
const written: readonly (readonly [id: string, source: Record<string, unknown>, time: number | undefined])[] = [
  ['text', { '@timestamp': '2026-04-30T12:00:00.123Z' }, Date.UTC(2026, 3, 30, 12, 0, 0, 123)],
  ['number', { '@timestamp': nowMs }, nowMs],
  ['list', { '@timestamp': ['2026-05-01T00:00:00Z'] }, nowMs],
  ['nanos', { '@timestamp': '2026-04-30T23:59:59.999999999Z' }, nowMs - 1],
  ['early', { '@timestamp': '1812-06-24' }, Date.UTC(1812, 5, 24)],
  ['zone', { '@timestamp': '2026-05-01T02:00:00+02:00' }, nowMs],
  ['null', { '@timestamp': null }, Date.UTC(2026, 0, 1)],
  ['wrong', { '@timestamp': 'yesterday' }, undefined],
  ['none', { other: 1 }, undefined],
  ['copied', { when: '2026-04-30' }, Date.UTC(2026, 3, 30)],
]

/** A bound that is looked for in the order of the table. */
const byOrder = /isNotNull\([^)]+\) AND \(?`_time` [<>]/

let search: NotedSearch
beforeAll(async () => {
  search = await openNotedSearch(() => nowMs)
  await search.services.create('times', {
    properties: {
      '@timestamp': { type: 'date', ignore_malformed: true, null_value: '2026-01-01' },
      when: { type: 'date', copy_to: '@timestamp' },
    },
  })
  await search.services.write(
    'times',
    written.map(([id, source]) => [id, source]),
  )
})
afterAll(() => search.services.close())

async function found(query: unknown): Promise<string[]> {
  const answer = await search.ask<{ hits: { hits: { _id: string }[] } }>('times', { query, size: 100 })
  return answer.hits.hits.map(({ _id }) => _id).sort()
}

const timed = (holds: (time: number) => boolean): string[] =>
  written.flatMap(([id, , time]) => (time !== undefined && holds(time) ? [id] : [])).sort()

it('finds documents between bounds by the order of the table, and none without a time', async () => {
  for (const bound of [nowMs, nowMs - 1, Date.UTC(2026, 3, 30), Date.UTC(2026, 0, 1), Date.UTC(1812, 5, 24)]) {
    const range = (bounds: unknown) => ({ range: { '@timestamp': bounds } })
    expect(await found(range({ gte: bound }))).toEqual(timed((time) => time >= bound))
    expect(await found(range({ gt: bound }))).toEqual(timed((time) => time > bound))
    expect(await found(range({ lte: bound }))).toEqual(timed((time) => time <= bound))
    expect(await found(range({ lt: bound }))).toEqual(timed((time) => time < bound))
    expect(await found({ bool: { must_not: range({ lt: bound }) } })).toEqual(
      written.flatMap(([id, , time]) => (time !== undefined && time < bound ? [] : [id])).sort(),
    )
  }
  expect(search.statements().filter((text) => byOrder.test(text))).not.toEqual([])
})

it('keeps in the order of the table what the field has, where it has one value', async () => {
  const { catalogue, engine } = search.services
  const table = [...catalogue.indices()].map((index) => catalogue.table(index.table))[0]
  if (table === undefined) throw new Error('BUG: no table')
  const column = catalogue.column(table, '@timestamp', 'date')?.name ?? ''
  const other = sql`SELECT _id FROM ${ident(table.name)} WHERE ${ident(column)} != _time`
  expect(await engine.rows(other)).toEqual([])
  const untimed = sql`SELECT _id FROM ${ident(table.name)} WHERE isNull(${ident(column)}) ORDER BY _id`
  expect((await engine.rows(untimed)).flat()).toEqual(['none', 'wrong'])
})

interface Sorted {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly sort: readonly unknown[] }[] }
}

it.each(['asc', 'desc'])(
  'shows the times of sorted hits from the order of the table (%s), and who has none last',
  async (order) => {
    const answer = await search.ask<Sorted>('times', { size: 100, sort: [{ '@timestamp': order }, '_doc'] })
    const shown = answer.hits.hits.map(({ _id, sort: [time] }) => [_id, time])
    const sign = order === 'asc' ? 1 : -1
    const timedHits = written.flatMap(([id, , time]) => (time === undefined ? [] : [[id, time] as const]))
    // Of documents of one time the first to come is first, either way.
    expect(shown.slice(0, timedHits.length)).toEqual(timedHits.sort(([, a], [, b]) => sign * (a - b)))
    expect(shown.slice(timedHits.length).map(([id]) => id)).toEqual(['wrong', 'none'])
    expect(search.statements().filter((text) => /`_ignored`, `_time`, `_seq`/.test(text))).toHaveLength(1)
  },
)

it('reads the field itself once a document has several times', async () => {
  await search.services.write('times', [['two', { '@timestamp': ['2020-01-01', '2026-05-01'] }]])
  const range = { range: { '@timestamp': { gte: '2019-12-31', lt: '2020-01-02' } } }
  expect(await found(range)).toEqual(['two'])
  expect(search.statements().filter((text) => byOrder.test(text))).toEqual([])
})
