import type { ChartTheme } from '../../../charts/palette.ts'

/** A line across an XY chart at a value, a moment, or a span of time. */
export interface XyMark {
  readonly at: number
  /** The other end of a span. */
  readonly until?: number | undefined
  readonly along: 'value' | 'right' | 'time'
  readonly label: string
  readonly color: string | undefined
  readonly style: 'solid' | 'dashed' | 'dotted'
  readonly width: number
  /** Which side of the line is filled. */
  readonly fill?: 'above' | 'below' | undefined
}

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

/** The two ends of what a mark fills; undefined for the chart's own edge, both for nothing. */
function endsOf({ at, until, fill }: XyMark): [number | undefined, number | undefined] {
  if (until !== undefined) return [at, until]
  if (fill === 'above') return [at, undefined]
  return fill === 'below' ? [undefined, at] : [undefined, undefined]
}
