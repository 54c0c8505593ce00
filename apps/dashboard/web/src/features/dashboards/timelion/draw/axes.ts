import type { ChartTheme } from '../../../../charts/palette.ts'
import { limits } from '../language/limits.ts'
import type { AxisLook, Series } from '../language/series.ts'
import { TimelionError } from '../language/tree.ts'
import { tickFormat } from './units.ts'

const axisWidthPx = 52
const nameGapPx = 46
const nameWidthPx = 16
const tickPx = 100

/** The axes of values that series are measured on, in the order of their numbers. Throws `TimelionError` for more than a chart can hold. */
export function axesOf(series: readonly Series[]): AxisLook[] {
  const found = new Map<number, AxisLook>()
  for (const one of series) found.set(axisNumber(one), found.get(axisNumber(one)) ?? { number: axisNumber(one) })
  for (const said of series.flatMap(({ chart }) => chart.axes ?? [])) {
    const before = found.get(said.number)
    if (before) found.set(said.number, { ...before, ...defined(said) })
  }
  if (found.size > limits.axes)
    throw new TimelionError(`The chart would have ${found.size} axes of values: at most ${limits.axes} are drawn`)
  return [...found.values()].sort((left, right) => left.number - right.number)
}

/** The number of the axis that a series is measured on. */
export function axisNumber({ look }: Series): number {
  return look.axis ?? 1
}

function defined(look: AxisLook): AxisLook {
  return Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined)) as unknown as AxisLook
}

/** What the drawing library is told of the axes. */
export function axisOptions(
  axes: readonly AxisLook[],
  series: readonly Series[],
  theme: ChartTheme,
): Record<string, unknown>[] {
  const onSide = { left: 0, right: 0 }
  return axes.map((axis, at) => {
    const position = axis.position ?? (axis.number % 2 === 1 ? 'left' : 'right')
    const offset = onSide[position]
    onSide[position] += axisWidthPx + (axis.label === undefined ? 0 : nameWidthPx)
    const format = tickFormat(axis)
    return {
      type: 'value',
      position,
      offset,
      // Bars and areas stand on zero, lines are looked at closely.
      scale: series.every((one) => axisNumber(one) !== axis.number || !standsOnZero(one)),
      ...(axis.min === undefined ? {} : { min: axis.min }),
      ...(axis.max === undefined ? {} : { max: axis.max }),
      splitNumber: 4,
      // Long units leave the chart its place.
      axisLabel: {
        color: theme.text,
        formatter: (value: number) => format(value),
        width: tickPx,
        overflow: 'truncate',
      },
      splitLine: { show: at === 0, lineStyle: { color: theme.split } },
      ...(axis.label === undefined ? {} : nameOf(axis.label, axis.color ?? theme.text)),
    }
  })
}

function nameOf(name: string, color: string): Record<string, unknown> {
  return { name, nameLocation: 'middle', nameGap: nameGapPx, nameTextStyle: { color } }
}

function standsOnZero({ look }: Series): boolean {
  return look.bars?.show === true || (look.lines?.fill ?? 0) > 0
}
