import { type MetricTile, MetricTiles } from '../../draw/metric-tiles.tsx'
import type { Table } from '../../model/table.ts'
import { ruleColor } from '../../model/tsvb/color-rules.ts'
import type { TsvbModel } from '../../model/tsvb/series.ts'
import { valuesOfSeries } from '../../model/tsvb/values.ts'

const tilesMax = 24

/** TSVB's big numbers. */
export function drawMetric(model: TsvbModel, tables: readonly Table[]) {
  const tiles = model.series.flatMap((series, at): MetricTile[] => {
    const table = tables[at]
    if (!table) return []
    return valuesOfSeries(model, series, table).map(({ label, value, text }) => {
      const rules = model.params['background_color_rules']
      const background = ruleColor(rules, value, 'background_color')
      const color = background ?? ruleColor(rules, value, 'color')
      return { label, value: text, color, colorMode: background ? 'background' : 'text' }
    })
  })
  return <MetricTiles tiles={tiles.slice(0, tilesMax)} />
}
