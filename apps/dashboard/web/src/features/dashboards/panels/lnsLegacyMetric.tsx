import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'

/** The big number of Lens before 8.5. */
export const lnsLegacyMetric = defineDataPanel('lnsLegacyMetric', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  const accessor = text(visualization['accessor']) ?? ''
  return {
    requests: request ? [request] : [],
    draw: ([table]) => {
      const column = table?.columns.find(({ id }) => id === accessor)
      const value = table?.rows[0]?.[accessor] ?? null
      const color = typeof value === 'number' ? stopColor(visualization, value) : undefined
      const colorMode = visualization['colorMode'] === 'Background' ? ('background' as const) : ('text' as const)
      const tile = { label: column?.label ?? '', value: column ? formatCell(value, column) : '-', color, colorMode }
      return <MetricTiles tiles={[tile]} />
    },
  }
})

/** The colour of the first stop at or above a value. */
function stopColor(visualization: Json, value: number): string | undefined {
  if (visualization['colorMode'] === undefined || visualization['colorMode'] === 'None') return undefined
  const stops = jsonArray(jsonObject(jsonObject(visualization['palette'])['params'])['stops'])
  const found = stops.find((stop) => value <= (number(stop['stop']) ?? Number.POSITIVE_INFINITY)) ?? stops.at(-1)
  return text(found?.['color'])
}
