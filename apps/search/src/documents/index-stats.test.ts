import { fakeClock } from '@logstack/testkit'
import { expect, test } from 'vitest'
import type { TableMeta } from '../model/table.ts'
import type { Sql } from '../sql/sql.ts'
import { IndexStats } from './index-stats.ts'
import type { Visibility } from './visibility.ts'

const tables = ['a', 'b'].map((name, id) => ({ id, name }) as TableMeta)
const [a, b] = tables as [TableMeta, TableMeta]
const seen = (seq: number): Visibility => ({ seq, dead: [], replaced: 0, expiries: 0 })

/** Stats of an engine in which table a holds three rows of index 1 and one of index 2, and b nothing of index 1; which tables each statement asked is noted. */
function statsOf() {
  const asked: string[] = []
  let failures = 0
  const engine = {
    rows: async ({ text }: Sql): Promise<unknown[][]> => {
      const isOfParts = text.includes('system.parts')
      const names = [...text.matchAll(/FROM `([^`]+)`/g)].map(([, name = '']) => name)
      asked.push(isOfParts ? 'bytes' : names.join())
      if (failures-- > 0 || (names.length > 1 && names.includes('gone'))) throw new Error('engine')
      if (names.includes('gone')) throw new Error('no such table')
      if (isOfParts) return [['a', 4000]]
      return names.flatMap((name, at) =>
        name === 'a'
          ? [
              [at, 1, 3],
              [at, 2, 1],
            ]
          : [],
      )
    },
  }
  const clock = fakeClock()
  const fail = (times: number) => {
    failures = times
  }
  return { stats: new IndexStats(engine, clock.now), asked, clock, fail }
}

test('one statement tells the bytes of all tables, and one the documents of each until it is written to', async () => {
  const { stats, asked, clock } = statsOf()
  const [ofA, ofB] = [seen(5), seen(7)]
  expect(await stats.of(1, a, ofA, 7)).toEqual({ documents: 3, deleted: 0, bytes: 3000 })
  expect(await stats.of(2, a, ofA, 7)).toEqual({ documents: 1, deleted: 0, bytes: 1000 })
  expect(await stats.of(1, b, ofB, 7)).toEqual({ documents: 0, deleted: 0, bytes: 0 })
  expect(asked).toEqual(['a', 'bytes', 'b'])
  await clock.advance(60_000)
  await stats.of(1, a, ofA, 7)
  expect(asked.slice(3)).toEqual(['bytes'])
  await stats.of(1, a, seen(8), 8)
  expect(asked.slice(4)).toEqual(['a', 'bytes'])
})

test('what failed is asked again', async () => {
  const { stats, asked, fail } = statsOf()
  fail(2)
  await expect(stats.of(1, a, seen(5), 5)).rejects.toThrow('engine')
  await expect(stats.of(1, a, seen(5), 5)).resolves.toMatchObject({ documents: 3 })
  expect(asked).toEqual(['a', 'bytes', 'a', 'bytes'])
})

test('a thousand tables that are asked for at once are counted some at a time, one statement after the other', async () => {
  const { stats, asked } = statsOf()
  const many = Array.from({ length: 1000 }, (_, at) => ({ id: at, name: at === 999 ? 'a' : `t${at}` }) as TableMeta)
  const counted = await Promise.all(many.map((table) => stats.of(2, table, seen(5), 5)))
  expect(counted.map(({ documents }) => documents)).toEqual([...Array(999).fill(0), 1])
  expect(asked.filter((names) => names !== 'bytes')).toHaveLength(1 + Math.ceil(999 / 16))
})

test('a table that is gone takes no other with it', async () => {
  const { stats } = statsOf()
  const gone = { id: 9, name: 'gone' } as TableMeta
  const counted = await Promise.allSettled([b, a, gone].map((table) => stats.of(1, table, seen(5), 5)))
  expect(counted.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
})
