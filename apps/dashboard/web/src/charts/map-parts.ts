import { CustomChart, LinesChart, ScatterChart } from 'echarts/charts'
import { GeoComponent } from 'echarts/components'
import { registerMap, use } from 'echarts/core'
import type { World } from '../geo/world.ts'

// What maps need of the drawing library besides: pages without one do not load it.
use([CustomChart, GeoComponent, LinesChart, ScatterChart])

/** The name under which the outlines of countries are registered. */
export const worldMap = 'world'

/** Gives the drawing library the outlines of countries, once. */
export function registerWorld(world: World): void {
  // Its own type of GeoJSON is the standard's with less said.
  registerMap(worldMap, world as unknown as Parameters<typeof registerMap>[1])
}
