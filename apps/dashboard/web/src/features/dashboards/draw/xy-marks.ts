import type { ChartTheme } from '../../../charts/palette.ts'
import type { XyMark } from '../model/xy-mark.ts'

/** Series without points that carry the marks of a chart: one for each axis that has some. */
export function marksSeries(
  marks: readonly XyMark[],
  shape: { readonly horizontal: boolean; readonly hasRight: boolean },
  theme: ChartTheme,
): Record<string, unknown>[] {
  const isRight = ({ along }: XyMark): boolean => shape.hasRight && along === 'right'
  const axis = { [shape.horizontal ? 'xAxisIndex' : 'yAxisIndex']: 1 }
  const right = marks.filter(isRight)
  const others = marks.filter((mark) => !isRight(mark))
  return [
    ...(others.length > 0 ? [marksOn(others, shape.horizontal, theme)] : []),
    ...(right.length > 0 ? [{ ...marksOn(right, shape.horizontal, theme), ...axis }] : []),
  ]
}

function marksOn(marks: readonly XyMark[], horizontal: boolean, theme: ChartTheme): Record<string, unknown> {
  const lines = marks.filter(({ until }) => until === undefined)
  const isValueAcross = (mark: XyMark): boolean => (mark.along === 'time') === horizontal
  const key = (mark: XyMark): 'xAxis' | 'yAxis' => (isValueAcross(mark) ? 'yAxis' : 'xAxis')
  // Without a value an area reaches to the edge of the chart.
  const end = (mark: XyMark, value: number | undefined): Record<string, number> =>
    value === undefined ? {} : { [key(mark)]: value }
  const areas = marks.flatMap((mark) => {
    const color = mark.color ?? theme.accent
    const [from, to] = endsOf(mark)
    return from === undefined && to === undefined
      ? []
      : [[{ ...end(mark, from), itemStyle: { color, opacity: 0.15 } }, end(mark, to)]]
  })
  return {
    type: 'line',
    data: [],
    silent: true,
    tooltip: { show: false },
    markLine: {
      symbol: 'none',
      silent: true,
      data: lines.map((mark) => ({
        [key(mark)]: mark.at,
        name: mark.label,
        lineStyle: { color: mark.color ?? theme.accent, type: mark.style, width: mark.width },
        label: { show: mark.label !== '', formatter: '{b}', position: 'insideEndTop', color: theme.text, fontSize: 10 },
      })),
    },
    markArea: { silent: true, data: areas },
  }
}

/** Icons by Kibana's names; others are circles. */
const icons: Readonly<Record<string, string>> = {
  empty: 'none',
  triangle: 'triangle',
  alert: 'triangle',
  mapMarker: 'pin',
  pinFilled: 'pin',
  tag: 'arrow',
  editorComment: 'roundRect',
  flag: 'path://M2 0h2v16H2zM4 1h10l-3 4 3 4H4z',
  bolt: 'path://M9 0 2 9h5l-2 7 8-10H8z',
  starFilled: 'path://M8 0l2.4 5.3 5.6.6-4.2 3.9 1.2 5.7L8 12.6l-5 2.9 1.2-5.7L0 5.9l5.6-.6z',
  starEmpty: 'path://M8 0l2.4 5.3 5.6.6-4.2 3.9 1.2 5.7L8 12.6l-5 2.9 1.2-5.7L0 5.9l5.6-.6z',
}
const iconSize = 11

/**
 * The events among the marks, as series whose points a chart's tooltip can find: one for each name. `axis` counts the value axis from 0 to 1
 * that they stand on.
 */
export function eventSeries(
  marks: readonly XyMark[],
  shape: { readonly horizontal: boolean; readonly axis: number },
  theme: ChartTheme,
): Record<string, unknown>[] {
  const byName = new Map<string, XyMark[]>()
  for (const mark of marks)
    if (mark.detail !== undefined) byName.set(mark.name ?? '', [...(byName.get(mark.name ?? '') ?? []), mark])
  return [...byName].map(([name, events]) => ({
    type: 'line',
    name,
    [shape.horizontal ? 'xAxisIndex' : 'yAxisIndex']: shape.axis,
    data: events.map(({ at, color, icon = '' }) => ({
      value: shape.horizontal ? [0, at] : [at, 0],
      symbol: icons[icon] ?? 'circle',
      itemStyle: { color: color ?? theme.accent },
    })),
    showSymbol: true,
    symbolSize: iconSize,
    symbolOffset: shape.horizontal ? ['50%', 0] : [0, '-50%'],
    lineStyle: { opacity: 0 },
    itemStyle: { color: events[0]?.color ?? theme.accent },
    tooltip: { valueFormatter: (_value: unknown, at: number) => events[at]?.detail ?? '' },
    cursor: 'default',
    z: 5,
  }))
}

/** The two ends of what a mark fills; undefined for the chart's own edge, both for nothing. */
function endsOf({ at, until, fill }: XyMark): [number | undefined, number | undefined] {
  if (until !== undefined) return [at, until]
  if (fill === 'above') return [at, undefined]
  return fill === 'below' ? [undefined, at] : [undefined, undefined]
}
