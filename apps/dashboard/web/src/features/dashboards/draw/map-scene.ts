import type { Bounds } from '../../../geo/world.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'

/** What all that lies on a map has. */
export interface MapFeature {
  readonly color: string
  /** 0 to 1. */
  readonly alpha?: number
  /** As people read it, a line each; of a country below its name. */
  readonly tip: readonly string[]
  /** What a click filters by; nothing for no filter. */
  readonly filters: readonly FieldFilter[]
}

/** A country by a code or name of it, coloured. */
export interface MapRegion extends MapFeature {
  readonly place: string
}

/** Degrees. */
export type MapPoint = readonly [lon: number, lat: number]

/** A circle. */
export interface MapMark extends MapFeature {
  readonly at: MapPoint
  /** In pixels. */
  readonly radius: number
  readonly label: string
}

/** A line from one place to another. */
export interface MapPath extends MapFeature {
  readonly from: MapPoint
  readonly to: MapPoint
  /** In pixels. */
  readonly width: number
}

/** A cell of a grid. */
export interface MapArea extends MapFeature {
  readonly bounds: Bounds
}

/** A place that warms its surroundings. */
export interface MapHeat {
  readonly at: MapPoint
  readonly weight: number
}

/** What the colours or sizes of a layer mean. */
export interface MapLegend {
  readonly title: string
  /** Colours from the least to the greatest value, which are told at the ends. */
  readonly ramp?: { readonly colors: readonly string[]; readonly from: string; readonly to: string }
  /** Or colours with what each stands for. */
  readonly entries?: readonly { readonly color: string; readonly label: string }[]
}

/** All that a map shows above the land, and of the world how much. */
export interface MapScene {
  readonly regions: readonly MapRegion[]
  readonly marks?: readonly MapMark[]
  readonly paths?: readonly MapPath[]
  readonly areas?: readonly MapArea[]
  readonly heat?: readonly MapHeat[]
  readonly legends: readonly MapLegend[]
  /** Sentences about what is not on it. */
  readonly notes: readonly string[]
  /** What is in sight at first; `data` for all that is shown. */
  readonly view: Bounds | 'data'
}
