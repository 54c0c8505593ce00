import { describe, expect, it } from 'vitest'
import type { Figures } from '../indices/stats-sections.ts'
import { joinFigures } from '../indices/stats-sections.ts'
import { asksHeldFields, indexStatistics, shardStatistics } from './statistics-columns.ts'

const whole: Figures = {
  ...joinFigures([]),
  held: { fielddata: {}, completion: {} },
}

describe('columns of statistics', () => {
  it.each(indexStatistics<Figures>((row) => row).map((column) => [column.name, column] as const))(
    '%s shows a figure that _stats has',
    (_name, column) => {
      expect(column.cell(whole)).toBeDefined()
    },
  )

  it('are of primaries too for indices, and none where a row has no figures', () => {
    const names = indexStatistics<Figures>((row) => row).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['flush.total', 'pri.flush.total', 'suggest.time']))
    expect(new Set(names).size).toBe(names.length)
    expect(shardStatistics<Figures>(() => undefined).map(({ cell }) => cell(whole))).not.toContainEqual(
      expect.anything(),
    )
  })

  it('are times and sizes in the unit that is asked for, but for sizes whose names say it', () => {
    const cellOf = (name: string) => shardStatistics<Figures>((row) => row).find((column) => column.name === name)?.cell
    expect(cellOf('flush.total_time')?.(whole)).toEqual({ ms: 0 })
    expect(cellOf('merges.total_size')?.(whole)).toEqual({ bytes: 0 })
    expect(cellOf('bulk.total_size_in_bytes')?.(whole)).toBe(0)
  })

  it('tell when what fields hold must be counted', () => {
    expect(asksHeldFields({ h: ['index', 'fm'] })).toBe(true)
    expect(asksHeldFields({ s: ['pri.completion.size:desc'] })).toBe(true)
    expect(asksHeldFields({ h: ['*'] })).toBe(true)
    expect(asksHeldFields({ h: ['index', 'flush.total'] })).toBe(false)
    expect(asksHeldFields({})).toBe(false)
  })
})
