import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'
import { legendSideOf } from '../draw/legend-side.ts'
import { Xy } from '../draw/xy.tsx'
import type { XyAxes, XyAxis } from '../draw/xy-axes.ts'
import type { XyLayer } from '../draw/xy-option.ts'
import { lensVisualization } from '../model/lens.ts'
import { annotationMarks, eventLayers, eventMarks } from '../model/lens-annotations.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { referenceLayers, referenceMarks } from '../model/lens-marks.ts'
import { mappedColors } from '../model/mapped-colors.ts'
import { defineDataPanel } from '../model/panel.ts'
import type { Table } from '../model/table.ts'
import { filtersOfPick } from './filter-by-cell.ts'

/** Lens bars, lines and areas. */
export const lnsXY = defineDataPanel('lnsXY', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const layers = jsonArray(visualization['layers']).flatMap((layer) => {
    const isData = (layer['layerType'] ?? 'data') === 'data' && texts(layer['accessors']).length > 0
    const request = isData ? layerRequest(panel, text(layer['layerId']) ?? '', context.objects) : undefined
    return request ? [{ layer, request }] : []
  })
  const legend = jsonObject(visualization['legend'])
  const lines = referenceLayers(visualization, panel, context.objects)
  const events = eventLayers(visualization, panel, context.objects)
  return {
    requests: [...layers, ...lines, ...events].map(({ request }) => request),
    draw: (tables) => (
      <Xy
        label={panel.title}
        onZoom={context.onZoom}
        onPick={(at, cells) => {
          const request = layers[at]?.request
          const filters = request ? filtersOfPick(request, tables[at], cells) : []
          if (filters.length > 0) context.onFilters(filters)
        }}
        chart={{
          layers: layers.flatMap(({ layer }, index): XyLayer[] => {
            const table = tables[index]
            return table ? [{ table, ...layerShape(layer), ...seriesLook(visualization) }] : []
          }),
          horizontal: layers.some(({ layer }) => String(layer['seriesType']).includes('horizontal')),
          legend:
            legend['isVisible'] !== false && (legend['showSingleSeries'] === true || hasSeveral(layers, lines.length)),
          range: context.range,
          axes: lensAxes(
            visualization,
            layers.map(({ layer }, index) => ({ layer, table: tables[index] })),
          ),
          legendSide: legendSideOf(legend['position']),
          marks: [
            ...lines.flatMap(({ layer }, at) => referenceMarks(layer, tables[layers.length + at])),
            ...annotationMarks(visualization),
            ...events.flatMap(({ annotation }, at) =>
              eventMarks(annotation, tables[layers.length + lines.length + at]),
            ),
          ],
        }}
      />
    ),
  }
})

/** Whether a chart may have more than one series: with a split also where that has one value. */
function hasSeveral(layers: readonly { readonly layer: Json }[], lines: number): boolean {
  if (layers.length + lines > 1) return true
  return layers.some(({ layer }) => splitOf(layer) !== undefined || texts(layer['accessors']).length > 1)
}

function splitOf(layer: Json): string | undefined {
  return text(layer['splitAccessor']) ?? texts(layer['splitAccessors'])[0]
}

const bridging = ['Linear', 'Carry', 'Lookahead', 'Nearest', 'Average']

/** How all series of a chart look. */
function seriesLook(visualization: Json): Pick<XyLayer, 'curve' | 'gaps' | 'opacity' | 'labelled'> {
  const curve = text(visualization['curveType']) ?? 'LINEAR'
  const fitting = text(visualization['fittingFunction']) ?? 'None'
  return {
    curve: curve.startsWith('CURVE_STEP') ? 'steps' : curve === 'LINEAR' ? 'straight' : 'smooth',
    gaps: fitting === 'Zero' ? 'zero' : bridging.includes(fitting) ? 'bridged' : 'open',
    opacity: number(visualization['fillOpacity']),
    labelled: visualization['valueLabels'] === 'show' || visualization['valueLabels'] === 'inside',
  }
}

interface DrawnLayer {
  readonly layer: Json
  readonly table: Table | undefined
}

/** The axes; where their author gave them no title, they have that of what is measured along them first. */
function lensAxes(visualization: Json, layers: readonly DrawnLayer[]): XyAxes {
  const measured = (isRight: boolean): string | undefined => {
    const [found] = layers.flatMap(({ layer, table }) => {
      const { values, right } = layerShape(layer)
      const id = values.find((value) => (right?.has(value) ?? false) === isRight)
      return table?.columns.find((column) => column.id === id)?.label ?? []
    })
    return found
  }
  const [first] = layers
  const along = first?.table?.columns.find(({ id }) => id === first.layer['xAccessor'])?.label
  const isHidden = (settings: string, axis: string): boolean => jsonObject(visualization[settings])[axis] === false
  const titleOf = (axis: string, title: string | undefined): string | undefined =>
    isHidden('axisTitlesVisibilitySettings', axis) ? undefined : title
  const read = (axis: 'yLeft' | 'yRight', title: string): XyAxis => {
    const extent = jsonObject(visualization[`${axis}Extent`])
    const isOwn = extent['mode'] === 'custom'
    return {
      title: titleOf(axis, text(visualization[title]) || measured(axis === 'yRight')),
      logarithmic: visualization[`${axis}Scale`] === 'log',
      ...(isOwn ? { min: number(extent['lowerBound']), max: number(extent['upperBound']) } : {}),
      fitsData: extent['mode'] === 'dataBounds',
      hidesLabels: isHidden('tickLabelsVisibilitySettings', axis),
      hidesGrid: isHidden('gridlinesVisibilitySettings', axis),
    }
  }
  return {
    left: read('yLeft', 'yTitle'),
    right: read('yRight', 'yRightTitle'),
    along: {
      title: titleOf('x', text(visualization['xTitle']) || along),
      hidesLabels: isHidden('tickLabelsVisibilitySettings', 'x'),
    },
  }
}

function layerShape(layer: Json): Omit<XyLayer, 'table'> {
  const series = text(layer['seriesType']) ?? 'bar'
  const colors = jsonArray(layer['yConfig']).flatMap((config) => {
    const id = text(config['forAccessor'])
    const color = text(config['color'])
    return id && color ? [[id, color] as const] : []
  })
  return {
    x: text(layer['xAccessor']),
    split: splitOf(layer),
    values: texts(layer['accessors']),
    type: series.startsWith('bar') ? 'bar' : series.startsWith('area') ? 'area' : 'line',
    stack: series.includes('percentage') ? 'percentage' : series.includes('stacked') ? 'stacked' : 'none',
    colors: new Map(colors),
    named: mappedColors(layer['colorMapping']),
    right: new Set(
      jsonArray(layer['yConfig']).flatMap(({ axisMode, forAccessor }) =>
        axisMode === 'right' ? (text(forAccessor) ?? []) : [],
      ),
    ),
  }
}
