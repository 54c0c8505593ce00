import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import type { GridPlace, PanelModel } from './panel-model.ts'

/** Rows of the grid that the heading of a section takes. */
const headingRows = 2
const columns = 48

/** A panel's place, and the section it lies in, where it lies in one. */
export interface Sectioned {
  readonly id: string
  readonly place: GridPlace
  readonly section: string | undefined
}

/** A section: its place in the dashboard's own grid. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly y: number
}

/** The sections of panels, undefined outside of all. */
export type Members = ReadonlyMap<string, string | undefined>

/** The sections of a dashboard of Kibana 9.1 and later, from top to bottom. */
export function sectionsOf(saved: unknown): Section[] {
  return jsonArray(saved)
    .map((one) => ({ id: sectionId(one), title: text(one['title']) ?? '', y: number(gridOf(one)['y']) ?? 0 }))
    .sort((left, right) => left.y - right.y)
}

/** The id of a saved section. */
export function sectionId(saved: Json): string {
  return text(gridOf(saved)['i']) ?? text(saved['id']) ?? ''
}

/** What a section's heading is called among the panels. */
export function headingId(section: string): string {
  return headingPrefix + section
}

/** Whether an id among those of panels is that of a section's heading. */
export function isHeading(id: string): boolean {
  return id.startsWith(headingPrefix)
}

const headingPrefix = 'section-'

/**
 * The places of panels and headings on one grid: sections have each a grid of their own, and lie open below their headings; what stands between them keeps
 * its place there. Without sections all places are as they are.
 */
export function jointPlaces(panels: readonly Sectioned[], sections: readonly Section[]): Map<string, GridPlace> {
  const joint = new Map<string, GridPlace>()
  if (sections.length === 0) return new Map(panels.map(({ id, place }) => [id, place]))
  const known = new Set(sections.map(({ id }) => id))
  const outside = panels.filter(({ section }) => section === undefined || !known.has(section))
  let bottom = 0
  const put = (some: readonly Sectioned[]): void => {
    const top = Math.min(...some.map(({ place }) => place.y))
    const start = bottom
    for (const { id, place } of some) {
      const y = place.y - top + start
      joint.set(id, { ...place, y })
      bottom = Math.max(bottom, y + place.h)
    }
  }
  put(outside.filter(({ place }) => place.y < (sections[0]?.y ?? 0)))
  for (const [at, { id, y }] of sections.entries()) {
    joint.set(headingId(id), { x: 0, y: bottom, w: columns, h: headingRows })
    bottom += headingRows
    put(panels.filter(({ section }) => section === id))
    const next = sections[at + 1]?.y ?? Number.POSITIVE_INFINITY
    put(outside.filter(({ place }) => place.y >= y && place.y < next))
  }
  return joint
}

/**
 * The opposite of `jointPlaces` after somebody moved things: where each panel lies in its own grid, and where the sections do in the dashboard's. Who
 * crossed no heading stays in its section, or outside; else a panel belongs to the section whose heading is the next above it. `members` goes before both.
 */
export function apartPlaces(
  joint: ReadonlyMap<string, GridPlace>,
  panels: readonly Sectioned[],
  sections: readonly Section[],
  members: Members = new Map(),
): { readonly panels: ReadonlyMap<string, Sectioned>; readonly sections: ReadonlyMap<string, number> } {
  const before = jointPlaces(panels, sections)
  const known = new Map(panels.map((panel) => [panel.id, panel]))
  const headings = sections
    .map(({ id }) => ({ id, y: joint.get(headingId(id))?.y ?? 0 }))
    .sort((left, right) => left.y - right.y)
  // A panel whose section is gone lies outside of all.
  const existing = (section: string | undefined): string | undefined =>
    sections.length === 0 || sections.some(({ id }) => id === section) ? section : undefined
  const memberOf = (id: string, place: GridPlace): string | undefined => {
    if (members.has(id)) return members.get(id)
    const above = sectionAbove(joint, sections, place.y)
    const old = before.get(id)
    const panel = known.get(id)
    const stays = panel && old && sectionAbove(before, sections, old.y) === above
    return stays ? existing(panel.section) : above
  }
  const placed = [...joint]
    .filter(([id]) => known.has(id))
    .map(([id, place]) => ({ id, place, section: memberOf(id, place), above: sectionAbove(joint, sections, place.y) }))
  const apart = new Map<string, Sectioned>()
  const tops = new Map<string, number>()
  let bottom = 0
  for (const heading of [undefined, ...headings]) {
    const first = heading === undefined ? 0 : heading.y + headingRows
    if (heading) tops.set(heading.id, bottom++)
    const below = placed.filter(({ above }) => above === heading?.id)
    const outside = below.filter(({ section }) => section === undefined)
    const top = heading ? Math.min(...outside.map(({ place }) => place.y)) : 0
    const start = bottom
    for (const { id, place, section } of below) {
      const y = section === undefined ? place.y - top + start : place.y - first
      apart.set(id, { id, section, place: { ...place, y } })
      if (section === undefined) bottom = Math.max(bottom, y + place.h)
    }
  }
  return { panels: apart, sections: tops }
}

/** The section whose heading is the next above a row. */
export function sectionAbove(
  joint: ReadonlyMap<string, GridPlace>,
  sections: readonly Section[],
  y: number,
): string | undefined {
  let found: { readonly id: string; readonly y: number } | undefined
  for (const { id } of sections) {
    const heading = joint.get(headingId(id))
    if (heading && heading.y <= y && heading.y >= (found?.y ?? 0)) found = { id, y: heading.y }
  }
  return found?.id
}

/** The panels of a dashboard where they are drawn, and the headings of its sections among them. */
export function laidOutWithSections(
  panels: readonly { readonly panel: PanelModel; readonly section: string | undefined }[],
  saved: unknown,
): PanelModel[] {
  const sections = sectionsOf(saved)
  const byId = new Map(panels.map(({ panel }) => [panel.id, panel]))
  const titles = new Map(sections.map(({ id, title }) => [headingId(id), title]))
  const placed = jointPlaces(
    panels.map(({ panel, section }) => ({ id: panel.id, place: panel.place, section })),
    sections,
  )
  return [...placed].flatMap(([id, place]) => {
    const panel = byId.get(id)
    if (panel) return [{ ...panel, place }]
    const title = titles.get(id)
    return title === undefined ? [] : [headingOf(id, title, place)]
  })
}

function gridOf(saved: Json): Json {
  return jsonObject(saved['gridData'] ?? saved['grid'])
}

function headingOf(id: string, title: string, place: GridPlace): PanelModel {
  return { id, kind: 'section', title, place, attributes: {}, config: {}, references: [] }
}
