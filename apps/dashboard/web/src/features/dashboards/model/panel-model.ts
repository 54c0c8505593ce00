import type { SavedObjectReference } from '@logstack/contracts'
import type { Json } from '../../../kibana/saved-json.ts'

/** A place on the grid of 48 columns, in cells. */
export interface GridPlace {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** One panel, by value or by reference, in one shape. */
export interface PanelModel {
  readonly id: string
  /** The wire keyword of what is drawn: `lnsXY`, `markdown`, `search`, … */
  readonly kind: string
  readonly title: string
  readonly place: GridPlace
  /** The attributes of what is drawn: a Lens, visualization, search or links object. */
  readonly attributes: Json
  /** What the panel changes of it (`columns`, `sort`, `timeRange`, …). */
  readonly config: Json
  /** Names resolve here; those of the dashboard come without the panel's prefix. */
  readonly references: readonly SavedObjectReference[]
}
