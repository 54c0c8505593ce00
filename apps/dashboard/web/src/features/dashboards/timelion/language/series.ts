/** A moment, in milliseconds since 1970, and a value; null for a gap. */
export type Point = readonly [ms: number, value: number | null]

/** How a series is drawn, as far as its expression says so. */
export interface Look {
  readonly color?: string | undefined
  /** Not drawn until somebody asks for it in the legend. */
  readonly isHidden?: boolean
  /** Whether it stands on the series before it that are stacked, too. */
  readonly isStacked?: boolean
  readonly lines?: LineLook
  readonly bars?: { readonly show: boolean; readonly widthPx: number }
  readonly points?: PointLook
  /** The axis of values that it is measured on, from 1. */
  readonly axis?: number
  /** Digits after the point of its values. */
  readonly decimals?: number | undefined
}

export interface LineLook {
  /** Undefined where it depends on whether bars or points are shown. */
  readonly show?: boolean | undefined
  readonly widthPx?: number | undefined
  /** How opaque the area below is, 0 to 1. */
  readonly fill?: number | undefined
  readonly steps?: boolean | undefined
}

export interface PointLook {
  readonly show: boolean
  readonly radiusPx?: number | undefined
  readonly borderPx?: number | undefined
  /** How opaque their inside is, 0 to 1; undefined for hollow ones. */
  readonly fill?: number | undefined
  readonly fillColor?: string | undefined
  readonly symbol: string
}

/** How an axis of values looks; undefined leaves what was said before. */
export interface AxisLook {
  readonly number: number
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly position?: 'left' | 'right' | undefined
  readonly label?: string | undefined
  readonly color?: string | undefined
  readonly units?: string | undefined
  readonly decimals?: number | undefined
}

/** What a series says of the chart that it stands in; later ones have the last word. */
export interface ChartLook {
  readonly title?: string | undefined
  readonly axes?: readonly AxisLook[]
  readonly legend?: LegendLook
}

export interface LegendLook {
  readonly show: boolean
  /** Its corner: `nw`, `ne`, `se` or `sw`. */
  readonly position?: string | undefined
  readonly columns?: number | undefined
}

/** One line of a chart: what it is called, its values in the order of time, and its look. */
export interface Series {
  readonly label: string
  /** The value of the innermost split that it is of: series of two lists meet by it. */
  readonly split?: string | undefined
  readonly points: readonly Point[]
  readonly look: Look
  readonly chart: ChartLook
}

/** A series with nothing said of its look. */
export function plainSeries(label: string, points: readonly Point[], split?: string): Series {
  return { label, points, look: {}, chart: {}, ...(split === undefined ? {} : { split }) }
}

/** A series with each value replaced; what is no number any more becomes a gap. */
export function mapValues(series: Series, newValue: (value: number | null, at: number) => number | null): Series {
  return { ...series, points: series.points.map(([ms, value], at): Point => [ms, finite(newValue(value, at))]) }
}

/** A series with other values at its moments; what is no number becomes a gap. */
export function withValues(series: Series, values: readonly (number | null | undefined)[]): Series {
  return mapValues(series, (_, at) => values[at] ?? null)
}

/** The values of a series. */
export function valuesOf(series: Series): (number | null)[] {
  return series.points.map(([, value]) => value)
}

/** Divisions by zero and the like are gaps. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}
