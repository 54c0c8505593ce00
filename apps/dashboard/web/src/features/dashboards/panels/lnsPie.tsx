import { type Json, jsonArray, text, texts } from '../../../kibana/saved-json.ts'
import { legendSideOf } from '../draw/legend-side.ts'
import { Parts } from '../draw/parts.tsx'
import { Pie, type PieLabels } from '../draw/pie.tsx'
import { sliceTree } from '../draw/slices.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { mappedColors } from '../model/mapped-colors.ts'
import { defineDataPanel } from '../model/panel.ts'
import { metricColumn, severalMetrics, valueColumn } from '../model/several-metrics.ts'
import type { Cell, Table } from '../model/table.ts'
import { filtersOfPick } from './filter-by-cell.ts'

const areaShapes = ['treemap', 'mosaic', 'waffle'] as const

/** Lens pies, donuts, treemaps, mosaics and waffles. */
export const lnsPie = defineDataPanel('lnsPie', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const [layer = {}] = jsonArray(visualization['layers'])
  const request = layerRequest(panel, text(layer['layerId']) ?? '', context.objects)
  // Before 8.4 the slices were `groups` and the size was `metric`.
  const saved = texts(layer['primaryGroups'] ?? layer['groups'])
  const metrics = texts(layer['metrics'])
  // Several numbers are slices of their own, within the groups.
  const isSeveral = metrics.length > 1
  const groups = isSeveral ? [...saved, metricColumn] : saved
  const metric = isSeveral ? valueColumn : (metrics[0] ?? text(layer['metric']) ?? '')
  const sliced = (table: Table): Table => (isSeveral ? severalMetrics(table, metrics) : table)
  const shape = areaShapes.find((one) => one === visualization['shape'])
  const pick = (table: Table, cells: Readonly<Record<string, Cell>>): void => {
    const filters = request ? filtersOfPick(request, table, cells) : []
    if (filters.length > 0) context.onFilters(filters)
  }
  // Mosaics have their columns in a place of their own.
  const outer = texts(layer['secondaryGroups'])
  if (shape) {
    return {
      requests: request ? [request] : [],
      draw: ([table]) =>
        table && (
          <Parts
            slices={sliceTree(sliced(table), shape === 'mosaic' ? [...outer, ...groups] : groups, metric)}
            shape={shape}
            format={sliced(table).columns.find(({ id }) => id === metric)?.format}
            onPick={({ cells }) => pick(table, cells)}
          />
        ),
    }
  }
  return {
    requests: request ? [request] : [],
    draw: ([table]) =>
      table && (
        <Pie
          label={panel.title}
          onPick={(cells) => pick(table, cells)}
          model={{
            table: sliced(table),
            groups,
            metric,
            donut: visualization['shape'] === 'donut',
            legend: layer['legendDisplay'] === 'show' || (layer['legendDisplay'] !== 'hide' && groups.length > 1),
            legendSide: legendSideOf(layer['legendPosition']),
            labels: labelsOf(layer),
            colors: mappedColors(layer['colorMapping']),
          }}
        />
      ),
  }
})

/** What stands at slices: nothing where their names are hidden. */
function labelsOf({ categoryDisplay, numberDisplay }: Json): PieLabels | undefined {
  if (categoryDisplay === 'hide') return undefined
  return {
    number: numberDisplay === 'hidden' ? undefined : numberDisplay === 'value' ? 'value' : 'percent',
    isInside: categoryDisplay === 'inside',
    lastRingOnly: false,
    lengthMax: undefined,
  }
}
