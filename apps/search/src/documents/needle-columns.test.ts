import { expect, it } from 'vitest'
import type { Column, TableMeta } from '../model/table.ts'
import { NeedleColumns } from './needle-columns.ts'
import type { SampledColumn } from './staged-rows.ts'

const table: TableMeta = { id: 1, family: 'f', name: 'events_1', columns: [] }
const needed = (path: string, type = 'string') => ({ path, type, many: false, indexed: true })

/** A column of values of which `hashAt` says the hash by their number; each call brings some of them. */
function column(path: string, hashAt: (at: number) => number, perBatch = 2_000): SampledColumn & { asked: number } {
  let next = 0
  const sampled = {
    path,
    type: 'string' as const,
    asked: 0,
    hashes(most: number) {
      const found = Array.from({ length: Math.min(most, perBatch) }, () => hashAt(next++))
      sampled.asked += found.length
      return found
    },
  }
  return sampled
}

/** What a table needs within so many batches, and in which of them. */
function noted(needles: NeedleColumns, columns: readonly SampledColumn[], batches: number, given = table) {
  return Array.from({ length: batches }, (_, batch) => ({ batch, needs: needles.note(given, columns) })).filter(
    ({ needs }) => needs.length > 0,
  )
}

it('asks for an index once a column has held different values for long, in batches of any size', () => {
  const unique = (at: number) => at
  expect(noted(new NeedleColumns(), [column('id', unique)], 32)).toEqual([{ batch: 31, needs: [needed('id')] }])
  const small = noted(new NeedleColumns(), [column('id', unique, 10)], 4_000)
  expect(small[0]).toEqual({ batch: 3_295, needs: [needed('id')] })
  const address = { ...column('ip', unique), type: 'ip' as const }
  expect(noted(new NeedleColumns(), [address], 32)).toEqual([{ batch: 31, needs: [needed('ip', 'ip')] }])
})

it('asks for none for values that come again within a granule, and looks at these only once', () => {
  const hosts = column('host', (at) => at % 900)
  expect(noted(new NeedleColumns(), [hosts], 100)).toEqual([])
  expect(hosts.asked).toBe(1_024)
  // A burst of one value after many different ones.
  const late = column('session', (at) => (at < 31 * 1_024 ? at : 7))
  expect(noted(new NeedleColumns(), [late], 100)).toEqual([])
})

it('asks for none that is there, for each table by itself, and for eight at most', () => {
  const needles = new NeedleColumns()
  const id: Column = { id: 1, path: 'id', type: 'string', name: 'c1_id', manyName: undefined, indexed: true }
  const has = { ...table, columns: [id] }
  const text = { ...table, columns: [{ ...id, type: 'text' as const }] }
  const unique = column('id', (at) => at)
  expect(noted(needles, [unique], 40, has)).toEqual([])
  expect(noted(needles, [unique], 31)).toEqual([])
  expect(needles.note({ ...table, id: 2 }, [unique])).toEqual([])
  expect(needles.note(text, [unique])).toEqual([needed('id')])
  const many = Array.from({ length: 40 }, (_, at) => column(`c${at}`, (value) => value))
  expect(noted(needles, many, 32).flatMap(({ needs }) => needs)).toHaveLength(8)
  expect(noted(new NeedleColumns(), many, 32, has).flatMap(({ needs }) => needs)).toHaveLength(7)
})
