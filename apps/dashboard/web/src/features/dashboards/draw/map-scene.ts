import type { Bounds } from '../../../geo/world.ts'

/** A country by a code or name of it, coloured. */
export interface MapRegion {
  readonly place: string
  readonly color: string
  /** As people read it, a line each; below the country's name. */
  readonly tip: readonly string[]
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
  readonly legends: readonly MapLegend[]
  /** Sentences about what is not on it. */
  readonly notes: readonly string[]
  /** What is in sight at first; `data` for all that is shown. */
  readonly view: Bounds | 'data'
}
