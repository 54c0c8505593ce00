import type { EChartsCoreOption } from 'echarts/core'
import { tooltip } from '../../../charts/chart.tsx'
import type { ChartTheme } from '../../../charts/palette.ts'
import { countryOf } from '../../../geo/countries.ts'
import { project, unproject, withRoom } from '../../../geo/mercator.ts'
import { around, type Bounds, boundsOf, type World } from '../../../geo/world.ts'
import { inhabited } from '../model/map/view.ts'
import type { MapFeature, MapRegion, MapScene } from './map-scene.ts'
import { heatScale, worldMapSeries } from './world-map-series.ts'

/** A scene with its countries found among the outlines. */
export interface PlacedScene {
  readonly scene: MapScene
  /** By the name of a shape. */
  readonly regions: ReadonlyMap<string, MapRegion>
  /** Values that are no country, or one without an outline. */
  readonly unplaced: readonly string[]
  readonly bounds: Bounds
}

/** Finds the countries of a scene, and what is in sight of it. */
export function placed(scene: MapScene, world: World): PlacedScene {
  const shapes = new Map(world.features.map((shape) => [shape.properties.name, shape]))
  const regions = new Map<string, MapRegion>()
  const unplaced: string[] = []
  for (const region of scene.regions) {
    const name = countryOf(region.place)?.iso2 ?? region.place
    if (shapes.has(name)) regions.set(name, region)
    else unplaced.push(region.place)
  }
  const shown = [...regions.keys()].flatMap((name) => {
    const shape = shapes.get(name)
    return shape ? [boundsOf(shape)] : []
  })
  const corners = [...pointsOf(scene), ...shown].flatMap(([west, south, east, north]) => [
    [west, south] as const,
    [east, north] as const,
  ])
  const bounds = scene.view === 'data' ? (corners.length > 0 ? withRoom(around(corners)) : inhabited) : scene.view
  return { scene, regions, unplaced, bounds }
}

/** The extents of what is not a country. */
function pointsOf({ marks = [], paths = [], areas = [], heat = [] }: MapScene): Bounds[] {
  const points = [...marks, ...heat].map(({ at }) => at)
  const ends = paths.flatMap(({ from, to }) => [from, to])
  return [...areas.map(({ bounds }) => bounds), ...[...points, ...ends].map((point) => around([point]))]
}

/** Where somebody moved the map to. */
export interface Moved {
  readonly zoom: number
  readonly center: readonly number[]
}

/** The chart option of a map of the world. */
export function worldMapOption(
  { scene, regions, bounds }: PlacedScene,
  world: World,
  theme: ChartTheme,
  moved: Moved | undefined,
  map: string,
): EChartsCoreOption {
  const [west, south, east, north] = bounds
  const heat = heatScale(scene)
  const titles = new Map(world.features.map(({ properties }) => [properties.name, properties.title]))
  return {
    tooltip: tooltip(theme, { trigger: 'item', className: 'world-map-tip' }),
    ...(heat ? { visualMap: heat } : {}),
    series: worldMapSeries(scene, { color: theme.text }),
    geo: {
      map,
      projection: { project, unproject },
      boundingCoords: [
        [west, north],
        [east, south],
      ],
      left: 0,
      right: 0,
      top: 0,
      bottom: 0,
      preserveAspect: 'contain',
      roam: 'move',
      scaleLimit: { min: 0.2, max: 60 },
      ...(moved ? { zoom: moved.zoom, center: [...moved.center] } : {}),
      label: { show: false },
      itemStyle: { areaColor: theme.split, borderColor: theme.line, borderWidth: 0.5 },
      emphasis: { label: { show: false }, itemStyle: { areaColor: theme.line, borderWidth: 1 } },
      regions: [...regions].map(([name, { color }]) => ({
        name,
        itemStyle: { areaColor: color },
        emphasis: { itemStyle: { areaColor: color, borderColor: theme.text, borderWidth: 1.5 } },
      })),
      tooltip: {
        show: true,
        // What lies above the land asks the land's for its tip, too.
        formatter: ({ name = '', data }: { name?: string; data?: { feature?: MapFeature } }) =>
          tipOf(data?.feature?.tip ?? [titles.get(name) ?? name, ...(regions.get(name)?.tip ?? [])]),
      },
    },
  }
}

/** An element, not text: what documents say is shown as letters. */
function tipOf(lines: readonly string[]): HTMLElement {
  const box = document.createElement('div')
  for (const [at, line] of lines.entries()) {
    const row = document.createElement('div')
    row.textContent = line
    if (at === 0) row.style.fontWeight = '600'
    box.append(row)
  }
  return box
}
