import { describe, expect, it } from 'vitest'
import { findColumn } from '../model/table.ts'
import type { TableRecord } from './catalogue-state.ts'
import { chooseSlot, familyOf, lacks, sizeOf, widenTable } from './tables.ts'

const table: TableRecord = { id: 1, family: 'f', name: 'events_1', columns: [], nextColumn: 1, nextSlot: 0 }

describe('families', () => {
  it.each([
    ['winlogbeat-2026.11.21', 'index:winlogbeat'],
    ['winlogbeat-2026.11.21-000002', 'index:winlogbeat'],
    ['logs-000001', 'index:logs'],
    ['wazuh-alerts-4.x-2026.11.21', 'index:wazuh-alerts-4.x'],
    ['syslog', 'index:syslog'],
    ['2026', 'index:#'],
    ['.logstack-alerts', 'own-state'],
    ['.logstack-agents-000001', 'own-state'],
  ])('%s belongs to %s', (name, family) => expect(familyOf(name, undefined)).toBe(family))

  it('a data stream is a family', () => {
    expect(familyOf('.ds-logs-a-2026.11.21-000001', 'logs-a')).toBe('stream:logs-a')
  })
})

describe('slots', () => {
  const large = async () => false

  /** The slots of a year of daily indices, of which so many are kept. */
  async function year(kept: number, isSmall: () => Promise<boolean>): Promise<number[][]> {
    let record = table
    let living: number[] = []
    const days: number[][] = []
    for (let day = 0; day < 365; day++) {
      const { slot, nextSlot } = await chooseSlot(record, living, isSmall)
      record = { ...record, nextSlot }
      living = [...living, slot].slice(-kept)
      days.push(living)
    }
    return days
  }

  it('a year of daily indices with 90 of them kept lives in about ten slots, and no slot comes back while it is purged', async () => {
    let last = -1
    for (const living of await year(90, large)) {
      expect(living.at(-1)).toBeGreaterThanOrEqual(last)
      last = living.at(-1) ?? -1
      expect(new Set(living).size).toBeLessThanOrEqual(13)
    }
  })

  it('while they are small they live in few, which hold a bounded number', async () => {
    const small = async () => true
    expect(new Set((await year(90, small)).at(-1)).size).toBe(1)
    expect(new Set((await year(365, small)).at(-1)).size).toBe(3)
  })

  it('goes round when the numbers are used up, past slots still in use', async () => {
    expect(await chooseSlot({ ...table, nextSlot: 0 }, [0, 1], large)).toEqual({ slot: 2, nextSlot: 3 })
    expect(await chooseSlot({ ...table, nextSlot: 65_534 }, [], large)).toEqual({ slot: 65_534, nextSlot: 0 })
    // The last number is for no index: dropping it frees what was replaced.
    expect(await chooseSlot({ ...table, nextSlot: 65_535 }, [], large)).toEqual({ slot: 0, nextSlot: 1 })
  })
})

describe('columns', () => {
  it('are one a path and type, made once, with an array companion when needed', () => {
    const first = widenTable(table, [
      { path: 'host.name', type: 'string', many: false },
      { path: 'host.name', type: 'text', many: false },
      { path: 'host.name', type: 'string', many: true },
    ])
    expect(first.added).toEqual([
      { name: 'c1_host_name', type: 'string', many: false },
      { name: 'c2_host_name', type: 'text', many: false },
      { name: 'm1_host_name', type: 'string', many: true },
    ])
    expect(findColumn(first.table, 'host.name', 'string')).toMatchObject({
      name: 'c1_host_name',
      manyName: 'm1_host_name',
    })
    const text = { path: 'message', type: 'text', many: false } as const
    expect(widenTable(table, [text, { ...text, indexed: true }]).added).toEqual([
      { name: 'c1_message', type: 'text', many: false, indexed: true },
    ])
    expect(widenTable(table, [{ ...text, indexed: true, pairs: true }]).added).toEqual([
      { name: 'c1_message', type: 'text', many: false, indexed: true, cut: 'tokenizer', pairs: true },
    ])
    const texts = (many: number, from = 0) =>
      Array.from({ length: many }, (_, at) => ({ ...text, path: `f${from + at}`, indexed: true as const }))
    const asked = texts(40).map((one) => ({ ...one, isUnproven: true as const }))
    const crowded = widenTable(table, asked)
    const indexedOf = ({ columns }: typeof table) =>
      columns.filter(({ indexed }) => indexed === true).map(({ path }) => path)
    expect(indexedOf(crowded.table)).toEqual(texts(32).map(({ path }) => path))
    expect(lacks(crowded.table, asked)).toBe(false)
    // What proves to be worth one gets it all the same.
    expect(lacks(crowded.table, texts(1, 35))).toBe(true)
    const proven = widenTable(crowded.table, texts(1, 35)).table
    expect(indexedOf(proven)).toEqual([...indexedOf(crowded.table), 'f35'])
    expect(sizeOf(proven)).toEqual({ columns: 40, textIndexes: 33 })
    const second = widenTable(first.table, [{ path: 'host.name', type: 'string', many: true }])
    expect(second.table).toBe(first.table)
    expect(widenTable(first.table, [{ path: 'x'.repeat(99), type: 'long', many: false }]).added[0]?.name).toBe(
      `c3_${'x'.repeat(40)}`,
    )
  })
})
