import { type Json, text } from '../../../kibana/saved-json.ts'
import { MetricTiles } from '../draw/metric-tiles.tsx'
import { formatCell } from '../format-cell.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { paletteColor } from '../model/palette-color.ts'
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

function stopColor(visualization: Json, value: number): string | undefined {
  const isColored = visualization['colorMode'] === 'Labels' || visualization['colorMode'] === 'Background'
  const palette = isColored && visualization['palette']
  return palette ? paletteColor(palette, value, { min: 0, max: value }) : undefined
}
