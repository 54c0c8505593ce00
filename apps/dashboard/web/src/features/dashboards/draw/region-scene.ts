import { formatMetric } from '../../../format/format-as.ts'
import { formatCell } from '../format-cell.ts'
import type { Table } from '../model/table.ts'
import type { MapRegion, MapScene } from './map-scene.ts'
import { rampColor, shareOf } from './ramp-color.ts'

/** A table whose rows are countries. */
export interface RegionModel {
  readonly table: Table
  /** The column that names them. */
  readonly region: string
  readonly value: string
  /** From low to high. */
  readonly ramp: readonly string[]
  readonly view: MapScene['view']
  /** What a click on a country filters by. */
  readonly filtersOf: (place: string) => MapRegion['filters']
  readonly notes?: readonly string[]
}

/** The map of a table: each country in the colour of its value. */
export function regionScene({ table, region, value, ramp, view, filtersOf, notes = [] }: RegionModel): MapScene {
  const [place, metric] = [region, value].map((id) => table.columns.find((column) => column.id === id))
  const rows = table.rows.flatMap((row) => {
    const [key, number] = [row[region], row[value]]
    const isNamed = key !== null && key !== undefined && key !== ''
    return isNamed && typeof number === 'number' ? [{ key: String(key), number }] : []
  })
  const values = rows.map(({ number }) => number)
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const format = (number: number): string => formatMetric(number, metric?.format)
  const regions = rows.map(
    ({ key, number }): MapRegion => ({
      place: place ? formatCell(key, place) : key,
      color: rampColor(ramp, shareOf(number, min, max)),
      filters: filtersOf(key),
      tip: [`${metric?.label ?? ''}: ${format(number)}`],
    }),
  )
  const legend = { title: metric?.label ?? '', ramp: { colors: ramp, from: format(min), to: format(max) } }
  return { regions, legends: rows.length > 0 ? [legend] : [], notes, view }
}
