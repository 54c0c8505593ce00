import type { EChartsCoreOption } from 'echarts/core'
import { useCallback } from 'react'
import { Chart } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import type { ColorRange } from '../model/ramp.ts'

/** One value on its scale. */
export interface GaugeModel {
  readonly label: string
  readonly value: number
  /** As people read it. */
  readonly text: string
  readonly min: number
  readonly max: number
  readonly ranges: readonly ColorRange[]
}

/** Gauges side by side. */
export function Gauges({ gauges }: { gauges: readonly GaugeModel[] }) {
  return (
    <div style={{ display: 'flex', height: '100%', minHeight: 0 }}>
      {gauges.map((gauge) => (
        <div key={gauge.label} style={{ flex: 1, minWidth: 0 }}>
          <Gauge gauge={gauge} />
        </div>
      ))}
    </div>
  )
}

function Gauge({ gauge }: { gauge: GaugeModel }) {
  const option = useCallback((theme: ChartTheme) => gaugeOption(gauge, theme), [gauge])
  return <Chart option={option} label={`${gauge.label}: ${gauge.text}`} />
}

/** The chart option of a gauge: an arc with a colour for each range, and the value in its middle. */
export function gaugeOption(gauge: GaugeModel, theme: ChartTheme): EChartsCoreOption {
  const { min, max } = gauge
  const share = (value: number): number => Math.min(1, Math.max(0, (value - min) / (max - min)))
  const stops = gauge.ranges.map(({ to, color }) => [share(to), color] as const)
  const current = gauge.ranges.find(({ from, to }) => gauge.value >= from && gauge.value < to) ?? gauge.ranges.at(-1)
  return {
    series: [
      {
        type: 'gauge',
        min,
        max,
        startAngle: 205,
        endAngle: -25,
        radius: '95%',
        center: ['50%', '62%'],
        progress: { show: true, width: 16, itemStyle: { color: current?.color ?? theme.accent } },
        axisLine: { lineStyle: { width: 4, color: stops.length > 0 ? stops : [[1, theme.line]] } },
        axisTick: { show: false },
        splitLine: { show: false },
        axisLabel: { show: false },
        pointer: { show: false },
        anchor: { show: false },
        title: { color: theme.text, fontSize: 12, offsetCenter: [0, '32%'] },
        detail: {
          formatter: () => gauge.text,
          fontSize: 26,
          offsetCenter: [0, 0],
          color: current?.color ?? theme.text,
        },
        data: [{ value: gauge.value, name: gauge.label }],
      },
    ],
  }
}
