import { Box, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { useEffect, useRef } from 'react'
import { init } from './echarts.ts'
import { type ChartTheme, chartTheme } from './palette.ts'

/** Draws what `option` describes and follows its box's size and the colour scheme. `onReady` may add listeners and returns their removal. */
export function Chart({
  option,
  label,
  onReady,
}: {
  option: (theme: ChartTheme) => EChartsCoreOption
  /** What the chart shows, for screen readers. */
  label: string
  onReady?: ((chart: ECharts) => (() => void) | undefined) | undefined
}) {
  const scheme = useComputedColorScheme('light')
  const box = useRef<HTMLDivElement>(null)
  const { ref: sizeRef, width, height } = useElementSize<HTMLDivElement>()
  const chart = useRef<ECharts>(undefined)
  useEffect(() => {
    if (!box.current) return undefined
    const made = init(box.current)
    chart.current = made
    return () => {
      chart.current = undefined
      made.dispose()
    }
  }, [])
  useEffect(() => {
    const theme = chartTheme(scheme)
    chart.current?.setOption({ ...base(theme), ...option(theme) }, { notMerge: true })
  }, [option, scheme])
  useEffect(() => (chart.current && onReady ? onReady(chart.current) : undefined), [onReady])
  useEffect(() => {
    const made = chart.current
    if (!made || width <= 0 || height <= 0) return
    // It took the size of its box when it was made: drawing it twice is most of what a chart costs.
    if (made.getWidth() !== width || made.getHeight() !== height) made.resize({ width, height })
  }, [width, height])
  return <Box ref={useMergedRef(box, sizeRef)} h="100%" w="100%" mih={0} role="img" aria-label={label} />
}

function base(theme: ChartTheme): EChartsCoreOption {
  return {
    animation: false,
    color: [...theme.series],
    textStyle: { color: theme.text, fontFamily: 'system-ui, sans-serif', fontSize: 11 },
    backgroundColor: 'transparent',
  }
}

/** The tooltip's look, for options to spread. */
export function tooltip(theme: ChartTheme, extra: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    confine: true,
    backgroundColor: theme.tooltip,
    borderColor: theme.line,
    textStyle: { color: theme.text, fontSize: 12 },
    ...extra,
  }
}
