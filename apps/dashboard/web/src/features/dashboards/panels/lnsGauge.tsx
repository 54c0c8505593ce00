import { jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { Gauges } from '../draw/gauge.tsx'
import { formatCell } from '../format-cell.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'
import { paletteRamp } from '../model/ramp.ts'

/** The Lens gauge, of every shape drawn as an arc; its limits may be metrics of their own. */
export const lnsGauge = defineDataPanel('lnsGauge', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const palette = jsonObject(visualization['palette'])
  const stops = jsonArray(jsonObject(palette['params'])['stops']).map(({ stop }) => number(stop) ?? 0)
  return {
    requests: request ? [request] : [],
    draw: ([table]) => {
      const [row] = table?.rows ?? []
      const valueAt = (accessor: string): number | undefined => {
        const value = row?.[text(visualization[accessor]) ?? '']
        return typeof value === 'number' ? value : undefined
      }
      const metric = table?.columns.find(({ id }) => id === visualization['metricAccessor'])
      if (!row || !metric) return null
      const value = valueAt('metricAccessor') ?? 0
      const min = valueAt('minAccessor') ?? 0
      const max = Math.max(valueAt('maxAccessor') ?? stops.at(-1) ?? 100, value)
      const ramp = visualization['palette'] === undefined ? [] : paletteRamp(palette)
      const ends = ramp.map((_, at) => stops[at] ?? min + ((at + 1) * (max - min)) / ramp.length)
      const ranges = ramp.map((color, at) => ({ from: ends[at - 1] ?? min, to: ends[at] ?? max, color }))
      return <Gauges gauges={[{ label: metric.label, value, text: formatCell(value, metric), min, max, ranges }]} />
    },
  }
})
