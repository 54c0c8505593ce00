import { checkUnits } from '../draw/units.ts'
import { limits } from '../language/limits.ts'
import type { AxisLook, ChartLook, Series } from '../language/series.ts'
import { TimelionError } from '../language/tree.ts'
import { defineChainable, type TimelionFunction } from './define.ts'
import { readColor } from './read-color.ts'

const withChart = (series: readonly Series[], chart: ChartLook): Series[] =>
  series.map((one) => ({ ...one, chart: { ...one.chart, ...chart } }))

const corners = ['nw', 'ne', 'se', 'sw'] as const

const legend = defineChainable(
  'legend',
  // The time is always in the chart's tooltip, as all times are written.
  { parameters: ['position', 'columns', 'showTime', 'timeFormat'] },
  (series, given) => {
    const columns = given.number('columns')
    const where = given.text('position')
    if (where === 'false') return withChart(series, { legend: { show: false } })
    const position = where === 'true' ? undefined : given.choice('position', corners)
    return withChart(series, { legend: { show: true, position, columns } })
  },
)

const title = defineChainable('title', { parameters: ['title'] }, (series, given) =>
  withChart(series, { title: given.text('title') }),
)

const yaxis = defineChainable(
  'yaxis',
  { parameters: ['yaxis', 'min', 'max', 'position', 'label', 'color', 'units', 'tickDecimals'] },
  (series, given) => {
    const number = given.number('yaxis') ?? 1
    if (!Number.isInteger(number) || number < 1 || number > 100)
      throw new TimelionError(`“yaxis” of .yaxis() must be the number of an axis, from 1, not “${number}”`)
    const color = given.text('color')
    const units = given.text('units')
    if (units !== undefined) checkUnits(units)
    const axis: AxisLook = {
      number,
      min: given.number('min'),
      max: given.number('max'),
      position: given.choice('position', ['left', 'right']),
      label: given.text('label'),
      color: color === undefined ? undefined : readColor(color),
      units,
      decimals: given.number('tickDecimals'),
    }
    return series.map((one) => ({
      ...one,
      look: { ...one.look, axis: number },
      chart: { ...one.chart, axes: [...(one.chart.axes ?? []), axis].slice(-limits.axes) },
    }))
  },
)

/** What says how the chart looks that series stand in. */
export const chart: readonly TimelionFunction[] = [legend, title, yaxis]
