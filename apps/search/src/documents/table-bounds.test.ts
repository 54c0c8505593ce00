import { expect, it } from 'vitest'
import type { TableMeta } from '../model/table.ts'
import { TableBounds } from './table-bounds.ts'

const table: TableMeta = { id: 7, family: 'logs', name: 'events_7', columns: [] }

/** An engine that answers when it is told to. */
function handEngine() {
  const asked: { text: string; give(rows: unknown[][]): void; fail(): void }[] = []
  const rows = ({ text }: { readonly text: string }) =>
    new Promise<unknown[][]>((give, reject) => {
      asked.push({ text, give, fail: () => reject(new Error('the engine failed')) })
    })
  return { asked, engine: { rows } }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('knows what was there once it has asked, and what came meanwhile and since', async () => {
  const { asked, engine } = handEngine()
  const bounds = new TableBounds(engine, () => 0)
  bounds.comes(7, { newestMs: 50, firstSeq: 30 })
  expect([bounds.of(table), bounds.of(table)]).toEqual([undefined, undefined])
  expect(asked.map(({ text }) => text)).toEqual(['SELECT max(_time), min(_seq), count() FROM `events_7`'])
  bounds.comes(7, { newestMs: 120, firstSeq: 40 })
  asked[0]?.give([[100, 5, 3]])
  await settled()
  expect(bounds.of(table)).toEqual({ newestMs: 120, firstSeq: 5 })
  bounds.comes(7, { newestMs: 90, firstSeq: 50 })
  expect(bounds.of(table)).toEqual({ newestMs: 120, firstSeq: 5 })
  bounds.comes(7, { newestMs: 130, firstSeq: 2 })
  expect(bounds.of(table)).toEqual({ newestMs: 130, firstSeq: 2 })
  expect(asked).toHaveLength(1)
})

it('says of an empty table that nothing is in it, and of one whose rows come without times that they may be of any', async () => {
  const { asked, engine } = handEngine()
  const bounds = new TableBounds(engine, () => 0)
  bounds.of(table)
  asked[0]?.give([[0, 0, 0]])
  await settled()
  expect(bounds.of(table)).toEqual({ newestMs: Number.NEGATIVE_INFINITY, firstSeq: Number.POSITIVE_INFINITY })
  bounds.comes(7, { newestMs: undefined, firstSeq: 9 })
  expect(bounds.of(table)).toEqual({ newestMs: Number.POSITIVE_INFINITY, firstSeq: 9 })
})

it('asks again a while after it failed', async () => {
  const { asked, engine } = handEngine()
  let now = 0
  const bounds = new TableBounds(engine, () => now)
  bounds.of(table)
  asked[0]?.fail()
  await settled()
  expect([bounds.of(table), asked.length]).toEqual([undefined, 1])
  now = 60_000
  expect([bounds.of(table), asked.length]).toEqual([undefined, 2])
  asked[1]?.give([['9007199254740993', 1, 1]])
  await settled()
  expect(bounds.of(table)).toEqual({ newestMs: Number('9007199254740993'), firstSeq: 1 })
})
