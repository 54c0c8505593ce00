import type { GridPlace } from '../model/panel-model.ts'

/** The grid's width, in cells. */
export const gridColumns = 48
/** A panel is never smaller than this, in cells. */
export const smallest = { w: 4, h: 3 } as const

/** Where each panel lies, by its id. */
export type Layout = ReadonlyMap<string, GridPlace>

/** The layout after one panel was put somewhere: what is in its way goes down, then everything goes up as far as it can. */
export function placed(layout: Layout, id: string, wanted: GridPlace): Map<string, GridPlace> {
  const place = withinGrid(wanted)
  const settled = new Map([[id, place]])
  for (const [other, before] of inOrder(layout)) {
    if (other !== id) settled.set(other, lowered(before, settled))
  }
  return compacted(settled)
}

/**
 * The layout after a key moved a panel by one column or row. Where that changes nothing, as what is moved down by little rises again, the panel goes as far as
 * it must to pass what is in its way; the same layout where there is no further.
 */
export function stepped(layout: Layout, id: string, [columns, rows]: readonly [number, number]): Layout {
  const place = layout.get(id)
  if (!place) return layout
  const bottom = Math.max(...[...layout.values()].map(({ y, h }) => y + h))
  for (let far = 1; far <= (rows > 0 ? bottom - place.y : 1); far++) {
    const next = placed(layout, id, { ...place, x: place.x + columns * far, y: place.y + rows * far })
    const now = next.get(id)
    if (now && (now.x !== place.x || now.y !== place.y)) return next
  }
  return layout
}

/** The layout without gaps above panels, in their order from top to bottom. */
export function compacted(layout: Layout): Map<string, GridPlace> {
  const settled = new Map<string, GridPlace>()
  for (const [id, place] of inOrder(layout)) {
    settled.set(id, lowered(risen(place, settled), settled))
  }
  return settled
}

/** The place at the left for a new panel of this size: below everything, risen as far as what lies there leaves room. */
export function freePlace(layout: Layout, size: { readonly w: number; readonly h: number }): GridPlace {
  const bottom = Math.max(0, ...[...layout.values()].map(({ y, h }) => y + h))
  return risen({ w: size.w, h: size.h, x: 0, y: bottom }, layout)
}

function withinGrid({ x, y, w, h }: GridPlace): GridPlace {
  const width = Math.min(gridColumns, Math.max(smallest.w, Math.round(w)))
  return {
    x: Math.min(gridColumns - width, Math.max(0, Math.round(x))),
    y: Math.max(0, Math.round(y)),
    w: width,
    h: Math.max(smallest.h, Math.round(h)),
  }
}

function inOrder(layout: Layout): [string, GridPlace][] {
  return [...layout].sort(([, left], [, right]) => left.y - right.y || left.x - right.x)
}

function risen(place: GridPlace, settled: Layout): GridPlace {
  let { y } = place
  while (y > 0 && !isTaken({ ...place, y: y - 1 }, settled)) y--
  return { ...place, y }
}

function lowered(place: GridPlace, settled: Layout): GridPlace {
  let { y } = place
  while (isTaken({ ...place, y }, settled)) y++
  return { ...place, y }
}

function isTaken(place: GridPlace, settled: Layout): boolean {
  return [...settled.values()].some(
    (other) =>
      place.x < other.x + other.w &&
      other.x < place.x + place.w &&
      place.y < other.y + other.h &&
      other.y < place.y + place.h,
  )
}
