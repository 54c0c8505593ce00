/** The sides of a chart at which a legend may stand. */
export type LegendSide = (typeof sides)[number]

const sides = ['right', 'left', 'top', 'bottom'] as const

/** The side that a saved object names; undefined for none. */
export function legendSideOf(saved: unknown): LegendSide | undefined {
  return sides.find((side) => side === saved)
}
