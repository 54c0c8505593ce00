import { jsonArray, number, text } from '../../../../kibana/saved-json.ts'
import { type GaugeModel, Gauges } from '../../draw/gauge.tsx'
import type { Table } from '../../model/table.ts'
import type { TsvbModel } from '../../model/tsvb/series.ts'
import { valuesOfSeries } from '../../model/tsvb/values.ts'

const gaugesMax = 12

/** TSVB gauges, one for each series and value of its split. */
export function drawGauge(model: TsvbModel, tables: readonly Table[]) {
  const gauges = model.series.flatMap((series, at): GaugeModel[] => {
    const table = tables[at]
    if (!table) return []
    return valuesOfSeries(model, series, table).flatMap(({ label, value, text: shown }) => {
      if (typeof value !== 'number') return []
      const max = Math.max(number(model.params['gauge_max']) ?? 0, value) || 1
      return [{ label, value, text: shown, min: 0, max, ranges: rangesOf(model, max, series.color) }]
    })
  })
  return <Gauges gauges={gauges.slice(0, gaugesMax)} />
}

/** Rules of the form "from so much on, this colour" as ranges. */
function rangesOf(model: TsvbModel, max: number, color: string | undefined): GaugeModel['ranges'] {
  const rules = jsonArray(model.params['gauge_color_rules']).flatMap((rule) => {
    const [from, shown] = [number(rule['value']), text(rule['gauge'])]
    return from === undefined || shown === undefined ? [] : [{ from, color: shown }]
  })
  const sorted = rules.sort((left, right) => left.from - right.from)
  if (sorted.length === 0) return color === undefined ? [] : [{ from: 0, to: max, color }]
  return sorted.map((rule, at) => ({ ...rule, to: sorted[at + 1]?.from ?? Math.max(max, rule.from) }))
}
