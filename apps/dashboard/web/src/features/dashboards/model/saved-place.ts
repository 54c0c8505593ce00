import { type Json, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import type { GridPlace } from './panel-model.ts'

/** Until Kibana 6.3 a row of the grid was as high as so many of today, and one of its twelve columns as wide as so many. */
const rowsOfOld = 5
const columnsOfOld = 4

/** The place of a panel as it was saved, on the grid of today; of one without a place, by its number among the panels. */
export function savedPlace(panel: Json, index: number): GridPlace {
  const grid = jsonObject(panel['gridData'])
  const [col, row, wide, high] = ['col', 'row', 'size_x', 'size_y'].map((name) => number(panel[name]))
  if (panel['gridData'] === undefined && col !== undefined && row !== undefined) {
    return today({ x: col - 1, y: row - 1, w: wide ?? 6, h: high ?? 3 })
  }
  const place = {
    x: number(grid['x']) ?? 0,
    y: number(grid['y']) ?? index * 15,
    w: number(grid['w']) ?? 24,
    h: number(grid['h']) ?? 15,
  }
  return isOldGrid(panel) ? today(place) : place
}

/** A saved panel without what says that its place is one of an older grid: for one that gets another place. */
export function onGridOfToday(panel: Json): Json {
  const { version, col: _col, row: _row, size_x: _wide, size_y: _high, ...others } = panel
  return isOldGrid(panel) || version === undefined ? others : { ...others, version }
}

function isOldGrid(panel: Json): boolean {
  return /^6\.[12]\./.test(text(panel['version']) ?? '')
}

function today({ x, y, w, h }: GridPlace): GridPlace {
  return { x: columnsOfOld * x, y: rowsOfOld * y, w: columnsOfOld * w, h: rowsOfOld * h }
}
