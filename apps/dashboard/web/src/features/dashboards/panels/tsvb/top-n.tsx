import { text } from '../../../../kibana/saved-json.ts'
import { BarList, type ListedBar } from '../../draw/bar-list.tsx'
import type { PanelProps } from '../../model/panel.ts'
import type { Table } from '../../model/table.ts'
import { ruleColor } from '../../model/tsvb/color-rules.ts'
import type { TsvbModel } from '../../model/tsvb/series.ts'
import { valuesOfSeries } from '../../model/tsvb/values.ts'

/** TSVB's list of bars, the largest value first; a click on a value of a field filters by it. */
export function drawTopN(model: TsvbModel, tables: readonly Table[], { context }: PanelProps) {
  const found = model.series.flatMap((series, at) => {
    const table = tables[at]
    if (!table) return []
    const field = series.saved['split_mode'] === 'terms' ? text(series.saved['terms_field']) : undefined
    return valuesOfSeries(model, series, table).flatMap(({ label, key, value, text: shown, color }, place) => {
      if (typeof value !== 'number') return []
      const own = ruleColor(model.params['bar_color_rules'], value, 'bar_color') ?? color
      const bar: ListedBar = { id: `${at} ${place}`, label, value, text: shown, color: own }
      return [{ bar, field, key }]
    })
  })
  const sorted = found.sort((left, right) => right.bar.value - left.bar.value)
  const choose = ({ id }: ListedBar): void => {
    const chosen = sorted.find(({ bar }) => bar.id === id)
    if (chosen?.field && chosen.key !== undefined && chosen.key !== null)
      context.onFilter({ field: chosen.field, value: chosen.key })
  }
  const canChoose = sorted.some(({ field }) => field !== undefined)
  return <BarList bars={sorted.map(({ bar }) => bar)} {...(canChoose ? { onChoose: choose } : {})} />
}
