import type { ECharts } from 'echarts/core'

/** What a chart's own events say of the pointer, in pixels of its box. */
interface Pointer {
  readonly offsetX: number
  readonly offsetY: number
}

// Less is a click with an unsteady hand; the chart itself draws the same line.
const dragPx = 5

/**
 * Lets a drag over a chart with a time axis at the bottom choose a range. It is drawn by an element over the chart: the library's own brush makes
 * it draw every chart of a page twice. Answers how to take it away.
 */
export function brushTime(chart: ECharts, onChosen: (fromMs: number, toMs: number) => void): () => void {
  const shade = document.createElement('div')
  shade.className = 'time-brush'
  let startX: number | undefined
  const end = (): void => {
    startX = undefined
    shade.remove()
  }
  const onDown = ({ offsetX, offsetY }: Pointer): void => {
    if (chart.containPixel('grid', [offsetX, offsetY])) startX = offsetX
  }
  const onMove = ({ offsetX }: Pointer): void => {
    if (startX === undefined || Math.abs(offsetX - startX) < dragPx) return
    shade.style.left = `${Math.min(startX, offsetX)}px`
    shade.style.width = `${Math.abs(offsetX - startX)}px`
    if (!shade.isConnected) chart.getDom().append(shade)
  }
  const onUp = ({ offsetX }: Pointer): void => {
    const pixels = startX === undefined ? [] : [startX, offsetX].sort((left, right) => left - right)
    end()
    const [left = 0, right = 0] = pixels
    if (right - left < dragPx) return
    const [from, to] = [left, right].map((pixel) => Number(chart.convertFromPixel({ xAxisIndex: 0 }, pixel)))
    if (from !== undefined && to !== undefined && to > from) onChosen(Math.round(from), Math.round(to))
  }
  const events = chart.getZr()
  events.on('mousedown', onDown)
  events.on('mousemove', onMove)
  events.on('mouseup', onUp)
  return () => {
    end()
    events.off('mousedown', onDown)
    events.off('mousemove', onMove)
    events.off('mouseup', onUp)
  }
}
