import { expect, it } from 'vitest'
import type { TableMeta } from '../model/table.ts'
import { PatchedTables } from './patched-tables.ts'

const table = { id: 3, name: 'events_3' } as TableMeta

function open(answers: readonly (number | Error)[]) {
  const asked: string[] = []
  const clock = { nowMs: 1_000 }
  const engine = {
    rows: async ({ text }: { text: string }) => {
      const answer = answers[asked.push(text) - 1]
      if (answer instanceof Error) throw answer
      return [[answer]]
    },
  }
  const tables = new PatchedTables(engine, () => clock.nowMs)
  const look = async (afterMs: number): Promise<boolean> => {
    clock.nowMs += afterMs
    tables.isPatched(table)
    await new Promise(setImmediate)
    return tables.isPatched(table)
  }
  return { asked, tables, look }
}

it('asks the engine what was there at the start, once', async () => {
  const { asked, look } = open([2])
  expect(await look(0)).toBe(true)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain("table = 'events_3'")
  const without = open([0])
  expect([await without.look(0), await without.look(60_000)]).toEqual([false, false])
  expect(without.asked).toHaveLength(1)
})

it('takes a table for patched until the engine has answered', async () => {
  const { tables, look } = open([new Error('busy'), 0])
  expect(tables.isPatched(table)).toBe(true)
  expect([await look(0), await look(10_000)]).toEqual([true, false])
})

it('knows of a deletion until the engine has worked it in', async () => {
  const { asked, tables, look } = open([0, 1, new Error('busy'), 0])
  expect(await look(0)).toBe(false)
  tables.deleting(3)
  expect([await look(0), asked.length]).toEqual([true, 1])
  expect([await look(10_000), asked.length]).toEqual([true, 2])
  // A failure is no answer.
  expect([await look(10_000), asked.length]).toEqual([true, 3])
  expect([await look(9_999), asked.length]).toEqual([true, 3])
  expect([await look(1), asked.length]).toEqual([false, 4])
})

it('keeps a deletion that comes while the engine answers', async () => {
  const { tables, look } = open([0])
  tables.isPatched(table)
  tables.deleting(3)
  expect(await look(0)).toBe(true)
})
