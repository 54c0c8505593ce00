import { number, text } from '../../../../kibana/saved-json.ts'
import { legendSideOf } from '../../draw/legend-side.ts'
import { Xy } from '../../draw/xy.tsx'
import type { XyLayer } from '../../draw/xy-option.ts'
import type { PanelProps } from '../../model/panel.ts'
import type { Table } from '../../model/table.ts'
import type { TsvbModel, TsvbSeries } from '../../model/tsvb/series.ts'

/** TSVB series over time, each with its own look, on one or two axes. */
export function drawTimeseries(model: TsvbModel, tables: readonly Table[], { panel, context }: PanelProps) {
  const layers = model.series.flatMap((series, at): XyLayer[] => {
    const table = tables[at]
    return table ? [layerOf(series, table, model)] : []
  })
  return (
    <Xy
      label={panel.title}
      onZoom={context.onZoom}
      chart={{
        layers,
        horizontal: false,
        legend: model.params['show_legend'] !== 0,
        range: context.range,
        axes: { left: { ...limits(model.params), logarithmic: model.params['axis_scale'] === 'log' } },
        legendSide: legendSideOf(model.params['legend_position']),
      }}
    />
  )
}

function limits(params: TsvbModel['params']) {
  return { min: number(params['axis_min']), max: number(params['axis_max']) }
}

function layerOf({ saved, split, time, values, color, label }: TsvbSeries, table: Table, model: TsvbModel): XyLayer {
  const stacked = text(saved['stacked']) ?? 'none'
  const isBar = saved['chart_type'] === 'bar'
  const isFilled = Number(saved['fill'] ?? 0) > 0
  // An axis of its own is only needed where it lies elsewhere than the chart's.
  const hasOwnAxis = Number(saved['separate_axis'] ?? saved['seperate_axis'] ?? 0) === 1
  const isRight = hasOwnAxis && text(saved['axis_position']) !== text(model.params['axis_position'])
  return {
    table,
    x: time,
    split,
    values,
    type: isBar ? 'bar' : isFilled ? 'area' : 'line',
    stack: stacked === 'percent' ? 'percentage' : stacked === 'none' ? 'none' : 'stacked',
    colors: new Map(color === undefined ? [] : [['', color]]),
    right: new Set(isRight ? values : []),
    curve: Number(saved['steps'] ?? 0) === 1 ? 'steps' : 'straight',
    label: label.replaceAll(/\{\{\s*key\s*\}\}/g, '{{key}}'),
  }
}
