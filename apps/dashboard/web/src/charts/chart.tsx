import { Box, useComputedColorScheme } from '@mantine/core'
import type { ECharts, EChartsCoreOption } from 'echarts/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type ChartTheme, chartTheme } from './palette.ts'

type Library = typeof import('./echarts.ts')
let library: Library | undefined

async function loadCharts(): Promise<Library> {
  library ??= await import('./echarts.ts')
  return library
}

/** Reads the drawing library when what the page asks for now is on the way: it takes the browser as long to read as search to answer. */
export function readChartsSoon(): void {
  // Questions that are asked together are sent a turn later than they are asked.
  setTimeout(() => setTimeout(readCharts))
}

/** Reads it now. */
export function readCharts(): void {
  loadCharts().catch(() => undefined)
}

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
  return <Box ref={box} h="100%" w="100%" mih={0} pos="relative" role="img" aria-label={label} />
}

/**
 * An empty chart in a box, as large as the box. It is made when the browser has laid the page out and says how large that is: a chart that has
 * to ask for it makes the browser lay the page out at once, thirty times on a dashboard, and is drawn a second time when it was wrong by a fraction.
 */
function useSized(box: RefObject<HTMLDivElement | null>): ECharts | undefined {
  const [chart, setChart] = useState<ECharts>()
  const init = useLibrary()?.init
  useEffect(() => {
    const element = box.current
    if (!element || !init) return undefined
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
  }, [box, init])
  return chart
}

/** The drawing library when it is there; a failure to read it is the page's. */
function useLibrary(): Library | undefined {
  const [found, setFound] = useState<{ readonly library?: Library | undefined; readonly failed?: unknown }>({ library })
  const isMissing = found.library === undefined
  useEffect(() => {
    if (!isMissing) return undefined
    let isWanted = true
    const settle = (next: typeof found): void => (isWanted ? setFound(next) : undefined)
    loadCharts().then(
      (loaded) => settle({ library: loaded }),
      (failed: unknown) => settle({ failed }),
    )
    return () => {
      isWanted = false
    }
  }, [isMissing])
  if (found.failed !== undefined) throw found.failed
  return found.library
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
