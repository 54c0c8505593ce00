import type { MapFeature, MapScene } from './map-scene.ts'

/** The series of what lies above the land: cells, heat, lines and circles, in this order. Each item carries its feature. */
export function worldMapSeries(scene: MapScene, label: { readonly color: string }): Record<string, unknown>[] {
  const { areas = [], heat = [], paths = [], marks = [] } = scene
  const onGeo = { coordinateSystem: 'geo', geoIndex: 0 }
  const style = ({ color, alpha = 1 }: MapFeature): Record<string, unknown> => ({ color, opacity: alpha })
  return [
    ...(areas.length > 0
      ? [
          {
            ...onGeo,
            type: 'custom',
            name: 'areas',
            renderItem: areaOf,
            data: areas.map((area) => ({ value: [...area.bounds], itemStyle: style(area), feature: area })),
          },
        ]
      : []),
    ...(heat.length > 0
      ? [
          {
            ...onGeo,
            type: 'heatmap',
            name: 'heat',
            pointSize: 14,
            blurSize: 18,
            data: heat.map(({ at, weight }) => [...at, weight]),
          },
        ]
      : []),
    ...(paths.length > 0
      ? [
          {
            ...onGeo,
            type: 'lines',
            name: 'paths',
            data: paths.map((path) => ({
              coords: [[...path.from], [...path.to]],
              lineStyle: { ...style(path), width: path.width, curveness: 0.2 },
              feature: path,
            })),
          },
        ]
      : []),
    ...(marks.length > 0
      ? [
          {
            ...onGeo,
            type: 'scatter',
            name: 'marks',
            label: { show: true, position: 'right', formatter: labelOf, color: label.color, fontSize: 11 },
            labelLayout: { hideOverlap: true },
            data: marks.map((mark) => ({
              value: [...mark.at],
              symbolSize: mark.radius * 2,
              itemStyle: { ...style(mark), borderColor: '#ffffff', borderWidth: 0.5 },
              feature: mark,
            })),
          },
        ]
      : []),
  ]
}

/** Colours of heat, by series. */
export function heatScale({ heat = [], areas = [] }: MapScene): Record<string, unknown> | undefined {
  if (heat.length === 0) return undefined
  return {
    show: false,
    type: 'continuous',
    seriesIndex: areas.length > 0 ? 1 : 0,
    min: 0,
    max: Math.max(...heat.map(({ weight }) => weight)),
    dimension: 2,
    inRange: { color: ['#2f93bb', '#4ea674', '#b7a22e', '#e08e2b', '#c75a72'] },
  }
}

function labelOf({ data }: { data: { feature: { label: string } } }): string {
  return data.feature.label
}

interface DrawApi {
  value(dimension: number): number
  coord(point: readonly number[]): number[]
  visual(name: string): unknown
}

function areaOf(_parameters: unknown, api: DrawApi): Record<string, unknown> {
  const [west, south, east, north] = [0, 1, 2, 3].map((dimension) => api.value(dimension))
  const [left = 0, top = 0] = api.coord([west ?? 0, north ?? 0])
  const [right = 0, bottom = 0] = api.coord([east ?? 0, south ?? 0])
  return {
    type: 'rect',
    shape: { x: left, y: top, width: right - left, height: bottom - top },
    style: { fill: api.visual('color'), opacity: api.visual('opacity') },
  }
}
