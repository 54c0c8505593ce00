/** A box in shares of its frame: 0 to 1. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** Boxes as large as their values that fill a frame and are as square as may be (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000). `ratio` is the frame's width by its height. */
export function treemapBoxes(values: readonly number[], ratio: number): Box[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => ({ x: 0, y: 0, w: 0, h: 0 }))
  const order = values.map((value, at) => ({ at, area: (value / total) * ratio })).sort((a, b) => b.area - a.area)
  const boxes = values.map((): Box => ({ x: 0, y: 0, w: 0, h: 0 }))
  let free = { x: 0, y: 0, w: ratio, h: 1 }
  for (let from = 0; from < order.length; ) {
    const side = Math.min(free.w, free.h)
    let to = from + 1
    while (to < order.length && worst(order.slice(from, to + 1), side) <= worst(order.slice(from, to), side)) to += 1
    free = place(order.slice(from, to), free, boxes)
    from = to
  }
  return boxes.map(({ x, y, w, h }) => ({ x: x / ratio, y, w: w / ratio, h }))
}

interface Item {
  readonly at: number
  readonly area: number
}

const sumOf = (items: readonly Item[]): number => items.reduce((sum, { area }) => sum + area, 0)

/** The least square box of a row, as the larger of its sides by the smaller. */
function worst(row: readonly Item[], side: number): number {
  const thick = sumOf(row) / side
  return Math.max(0, ...row.map(({ area }) => Math.max(thick ** 2 / area, area / thick ** 2)))
}

/** Lays a row along the shorter side of what is free; answers what is free then. */
function place(row: readonly Item[], free: Box, boxes: Box[]): Box {
  const isWide = free.w >= free.h
  const side = isWide ? free.h : free.w
  const thick = side === 0 ? 0 : sumOf(row) / side
  let along = 0
  for (const { at, area } of row) {
    const length = thick === 0 ? 0 : area / thick
    boxes[at] = isWide
      ? { x: free.x, y: free.y + along, w: thick, h: length }
      : { x: free.x + along, y: free.y, w: length, h: thick }
    along += length
  }
  return isWide
    ? { x: free.x + thick, y: free.y, w: Math.max(0, free.w - thick), h: free.h }
    : { x: free.x, y: free.y + thick, w: free.w, h: Math.max(0, free.h - thick) }
}

/** Squares of a waffle, a hundred in all, shared out by the largest remainders. */
export function waffleSquares(values: readonly number[], squares = 100): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total <= 0) return values.map(() => 0)
  const exact = values.map((value) => (squares * value) / total)
  const counts = exact.map(Math.floor)
  const left = squares - counts.reduce((sum, count) => sum + count, 0)
  const byRemainder = exact.map((value, at) => ({ at, rest: value % 1 })).sort((a, b) => b.rest - a.rest)
  for (const { at } of byRemainder.slice(0, left)) counts[at] = (counts[at] ?? 0) + 1
  return counts
}
