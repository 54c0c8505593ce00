import { jsonArray, text, texts } from '../../../kibana/saved-json.ts'
import { Parts } from '../draw/parts.tsx'
import { Pie } from '../draw/pie.tsx'
import { sliceTree } from '../draw/slices.ts'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Cell, Table } from '../model/table.ts'
import { filtersOfPick } from './filter-by-cell.ts'

const areaShapes = ['treemap', 'mosaic', 'waffle'] as const

/** Lens pies, donuts, treemaps, mosaics and waffles. */
export const lnsPie = defineDataPanel('lnsPie', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const [layer = {}] = jsonArray(visualization['layers'])
  const request = layerRequest(panel, text(layer['layerId']) ?? '', context.objects)
  // Before 8.4 the slices were `groups` and the size was `metric`.
  const groups = texts(layer['primaryGroups'] ?? layer['groups'])
  const metric = texts(layer['metrics'])[0] ?? text(layer['metric']) ?? ''
  const display = layer['numberDisplay']
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
            slices={sliceTree(table, shape === 'mosaic' ? [...outer, ...groups] : groups, metric)}
            shape={shape}
            format={table.columns.find(({ id }) => id === metric)?.format}
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
            table,
            groups,
            metric,
            donut: visualization['shape'] === 'donut',
            legend: layer['legendDisplay'] !== 'hide',
            labels: display === 'hidden' || display === 'value' ? display : 'percent',
            colors: new Map(),
          }}
        />
      ),
  }
})
