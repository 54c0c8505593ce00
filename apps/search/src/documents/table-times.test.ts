import { expect, it } from 'vitest'
import type { TableMeta } from '../indices/model.ts'
import { TableTimes } from './table-times.ts'

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
  const times = new TableTimes(engine, () => 0)
  times.comes(7, 50)
  expect([times.newestMs(table), times.newestMs(table)]).toEqual([undefined, undefined])
  expect(asked.map(({ text }) => text)).toEqual(['SELECT max(_time), count() FROM `events_7`'])
  times.comes(7, 120)
  asked[0]?.give([[100, 3]])
  await settled()
  expect(times.newestMs(table)).toBe(120)
  times.comes(7, 90)
  expect(times.newestMs(table)).toBe(120)
  times.comes(7, 130)
  expect(times.newestMs(table)).toBe(130)
  expect(asked).toHaveLength(1)
})

it('leaves a table that is empty out at any time, and one whose rows come without times at none', async () => {
  const { asked, engine } = handEngine()
  const times = new TableTimes(engine, () => 0)
  times.newestMs(table)
  asked[0]?.give([[0, 0]])
  await settled()
  expect(times.newestMs(table)).toBe(Number.NEGATIVE_INFINITY)
  times.comes(7, undefined)
  expect(times.newestMs(table)).toBe(Number.POSITIVE_INFINITY)
})

it('asks again a while after it failed', async () => {
  const { asked, engine } = handEngine()
  let now = 0
  const times = new TableTimes(engine, () => now)
  times.newestMs(table)
  asked[0]?.fail()
  await settled()
  expect([times.newestMs(table), asked.length]).toEqual([undefined, 1])
  now = 60_000
  expect([times.newestMs(table), asked.length]).toEqual([undefined, 2])
  asked[1]?.give([['9007199254740993', 1]])
  await settled()
  expect(times.newestMs(table)).toBe(Number('9007199254740993'))
})
