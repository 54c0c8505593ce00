import { Box, useComputedColorScheme } from '@mantine/core'
import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
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
  const chart = useSized(box)
  useEffect(() => {
    const theme = chartTheme(scheme)
    chart?.setOption({ ...base(theme), ...option(theme) }, { notMerge: true })
  }, [chart, option, scheme])
  useEffect(() => (chart && onReady ? onReady(chart) : undefined), [chart, onReady])
  return <Box ref={box} h="100%" w="100%" mih={0} role="img" aria-label={label} />
}

/**
 * An empty chart in a box, as large as the box. It is made when the browser has laid the page out and says how large that is: a chart that has
 * to ask for it makes the browser lay the page out at once, thirty times on a dashboard, and is drawn a second time when it was wrong by a fraction.
 */
function useSized(box: RefObject<HTMLDivElement | null>): ECharts | undefined {
  const [chart, setChart] = useState<ECharts>()
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    let made: ECharts | undefined
    const observer = new ResizeObserver(([entry]) => {
      const [width, height] = [entry?.contentRect.width ?? 0, entry?.contentRect.height ?? 0].map(Math.floor)
      if (!width || !height) return
      if (!made) {
        made = init(element, undefined, { width, height })
        setChart(made)
      } else if (made.getWidth() !== width || made.getHeight() !== height) made.resize({ width, height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made?.dispose()
      setChart(undefined)
    }
  }, [box])
  return chart
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
