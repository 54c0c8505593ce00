import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import type { GridPlace, PanelModel } from './panel-model.ts'

/** Rows of the grid that the heading of a section takes. */
const headingRows = 2
const columns = 48

/** A panel with the section it lies in, where it lies in one. */
export interface SectionedPanel {
  readonly panel: PanelModel
  readonly section: string | undefined
}

/**
 * The panels of a dashboard of Kibana 9.1 and later, whose sections have each a grid of their own, on one grid: sections lie open below
 * their headings, and what stands between them keeps its place there.
 */
export function laidOutWithSections(panels: readonly SectionedPanel[], saved: unknown): PanelModel[] {
  const sections = jsonArray(saved)
    .map(sectionOf)
    .sort((left, right) => left.y - right.y)
  if (sections.length === 0) return panels.map(({ panel }) => panel)
  const known = new Set(sections.map(({ id }) => id))
  const outside = panels.filter(({ section }) => section === undefined || !known.has(section)).map(({ panel }) => panel)
  const placed: PanelModel[] = []
  let bottom = 0
  const put = (some: readonly PanelModel[]): void => {
    if (some.length === 0) return
    const top = Math.min(...some.map(({ place }) => place.y))
    const moved = some.map((panel) => movedTo(panel, { ...panel.place, y: panel.place.y - top + bottom }))
    placed.push(...moved)
    bottom = Math.max(...moved.map(({ place }) => place.y + place.h))
  }
  put(outside.filter(({ place }) => place.y < (sections[0]?.y ?? 0)))
  for (const [at, { id, title, y }] of sections.entries()) {
    placed.push(headingOf(id, title, bottom))
    bottom += headingRows
    put(panels.filter(({ section }) => section === id).map(({ panel }) => panel))
    const next = sections[at + 1]?.y ?? Number.POSITIVE_INFINITY
    put(outside.filter(({ place }) => place.y >= y && place.y < next))
  }
  return placed
}

function sectionOf(saved: Json): { id: string; title: string; y: number } {
  const grid = jsonObject(saved['gridData'] ?? saved['grid'])
  return {
    id: text(grid['i']) ?? text(saved['id']) ?? '',
    title: text(saved['title']) ?? '',
    y: number(grid['y']) ?? 0,
  }
}

function movedTo(panel: PanelModel, place: GridPlace): PanelModel {
  return { ...panel, place }
}

function headingOf(id: string, title: string, y: number): PanelModel {
  const place = { x: 0, y, w: columns, h: headingRows }
  return { id: `section-${id}`, kind: 'section', title, place, attributes: {}, config: {}, references: [] }
}
