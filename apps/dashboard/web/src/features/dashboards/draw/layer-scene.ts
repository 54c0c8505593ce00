import { geohashBounds, geotileBounds, pointOf } from '../../../geo/grid-cells.ts'
import { number, text } from '../../../kibana/saved-json.ts'
import { formatCell } from '../format-cell.ts'
import { messages } from '../messages.ts'
import type { MapLayer } from '../model/map/layers.ts'
import { ownRamp, type StyleProperty } from '../model/map/style.ts'
import { namedRamp } from '../model/ramp.ts'
import type { Table } from '../model/table.ts'
import type { MapArea, MapFeature, MapHeat, MapLegend, MapMark, MapPath, MapRegion, MapScene } from './map-scene.ts'
import { rampColor, shareOf } from './ramp-color.ts'

type Row = Table['rows'][number]

/** The map of layers and their tables, which are in the same order. */
export function layerScene(
  layers: readonly MapLayer[],
  tables: readonly Table[],
  { view, notes }: Pick<MapScene, 'view' | 'notes'>,
): MapScene {
  const parts = layers.flatMap((layer, at) => {
    const table = tables[at]
    return table ? [drawn(layer, table)] : []
  })
  return {
    regions: parts.flatMap(({ regions = [] }) => regions),
    marks: parts.flatMap(({ marks = [] }) => marks),
    paths: parts.flatMap(({ paths = [] }) => paths),
    areas: parts.flatMap(({ areas = [] }) => areas),
    heat: parts.flatMap(({ heat = [] }) => heat),
    legends: parts.flatMap(({ legends }) => legends),
    notes: [...notes, ...parts.flatMap((part) => part.notes)],
    view,
  }
}

interface Part {
  readonly regions?: readonly MapRegion[]
  readonly marks?: readonly MapMark[]
  readonly paths?: readonly MapPath[]
  readonly areas?: readonly MapArea[]
  readonly heat?: readonly MapHeat[]
  readonly legends: readonly MapLegend[]
  readonly notes: readonly string[]
}

function drawn(layer: MapLayer, table: Table): Part {
  const { style, shape } = layer
  const isLines = shape === 'lines'
  const color = colorsBy(isLines ? style.line : style.fill, table, layer.label)
  const size = sizesBy(isLines ? style.width : style.size, table, isLines ? [1, 8] : [4, 24], isLines ? 2 : 6)
  const shared = (row: Row): MapFeature => ({
    color: color.of(row),
    alpha: style.alpha,
    tip: tipOf(layer, table, row),
    filters: filtersOf(layer, table, row),
  })
  const rest = {
    legends: color.legends,
    notes: [...(layer.note === undefined ? [] : [layer.note]), ...cutNote(layer, table)],
  }
  switch (shape) {
    case 'regions':
      return { ...rest, regions: table.rows.map((row) => ({ ...shared(row), place: String(row[layer.place] ?? '') })) }
    case 'heat':
      return { legends: [], notes: rest.notes, heat: table.rows.flatMap((row) => heatOf(layer, row)) }
    case 'cells':
      return {
        ...rest,
        areas: table.rows.flatMap((row) => {
          const key = String(row[layer.place] ?? '')
          const bounds = geotileBounds(key) ?? geohashBounds(key)
          return bounds ? [{ ...shared(row), bounds }] : []
        }),
      }
    case 'lines':
      return {
        ...rest,
        paths: table.rows.flatMap((row) => {
          const [from, to] = [pointOf(row[layer.from ?? '']), pointOf(row[layer.place])]
          return from && to ? [{ ...shared(row), from, to, width: size(row) }] : []
        }),
      }
    case 'points': {
      const marks = table.rows.flatMap((row) => {
        const at = pointOf(row[layer.place])
        return at ? [{ ...shared(row), at, radius: size(row), label: labelOf(style.label, table, row) }] : []
      })
      const missing = table.rows.length - marks.length
      return {
        ...rest,
        marks,
        notes: [...rest.notes, ...(missing > 0 ? [messages.map.noPoint(layer.label, missing)] : [])],
      }
    }
  }
}

function heatOf(layer: MapLayer, row: Row): MapHeat[] {
  const at = pointOf(row[layer.place])
  const weight = row[layer.told[0] ?? '']
  return at && typeof weight === 'number' ? [{ at, weight }] : []
}

const seriesColors = ['#2f93bb', '#e08e2b', '#4ea674', '#c75a72', '#8a6fc2', '#b7a22e', '#5b8fd6', '#a8705a']
const categoriesMax = seriesColors.length

interface Colors {
  readonly of: (row: Row) => string
  readonly legends: readonly MapLegend[]
}

/** The colours of a layer: one, a ramp over numbers, or one for each of the most frequent words. */
function colorsBy({ column: id, options }: StyleProperty, table: Table, label: string): Colors {
  const fixed = text(options['color']) ?? '#2f93bb'
  const column = table.columns.find((one) => one.id === id)
  if (id === undefined || !column) {
    const color = /^#[0-9a-f]{6}$/i.test(fixed) ? fixed : '#2f93bb'
    return { of: () => color, legends: table.rows.length > 0 ? [{ title: '', entries: [{ color, label }] }] : [] }
  }
  const values = table.rows.map((row) => row[id])
  const numbers = values.filter((value) => typeof value === 'number')
  if (options['type'] !== 'CATEGORICAL' && numbers.length > 0) {
    const own = ownRamp(options)
    const ramp = own.length > 0 ? own : namedRamp(text(options['color']), options['invert'] === true)
    const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
    const shown = { colors: ramp, from: formatCell(min, column), to: formatCell(max, column) }
    return {
      of: (row) => rampColor(ramp, shareOf(Number(row[id] ?? min), min, max)),
      legends: [{ title: [label, column.label].filter(Boolean).join(' · '), ramp: shown }],
    }
  }
  const names = mostFrequent(values.flatMap((value) => (value === null || value === undefined ? [] : [String(value)])))
  const entries = names.map((name, at) => ({ color: seriesColors[at] ?? '', label: name }))
  const colors = new Map(entries.map((entry) => [entry.label, entry.color]))
  return {
    of: (row) => colors.get(String(row[id])) ?? '#94a3b4',
    legends: [{ title: [label, column.label].filter(Boolean).join(' · '), entries }],
  }
}

function mostFrequent(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, categoriesMax)
    .map(([word]) => word)
}

/** Sizes in pixels: radii grow with the root of a value, so that areas compare. */
function sizesBy(
  { column: id, options }: StyleProperty,
  table: Table,
  [least, most]: readonly [number, number],
  fixed: number,
): (row: Row) => number {
  const size = number(options['size']) ?? fixed
  if (id === undefined) return () => size
  const numbers = table.rows.map((row) => row[id]).filter((value) => typeof value === 'number')
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
  const [from, to] = [number(options['minSize']) ?? least, number(options['maxSize']) ?? most]
  return (row) => from + (to - from) * Math.sqrt(shareOf(Number(row[id] ?? min), min, max))
}

function labelOf({ column: id, options }: StyleProperty, table: Table, row: Row): string {
  const column = table.columns.find((one) => one.id === id)
  if (column) return formatCell(row[column.id], column)
  return text(options['value']) ?? ''
}

function tipOf({ label, told, shape }: MapLayer, table: Table, row: Row): string[] {
  const lines = table.columns.flatMap((column) =>
    told.includes(column.id) ? [`${column.label}: ${formatCell(row[column.id], column)}`] : [],
  )
  return shape === 'regions' || label === '' ? lines : [label, ...lines]
}

function filtersOf({ filterBy, request }: MapLayer, table: Table, row: Row): MapFeature['filters'] {
  const value = filterBy === undefined ? null : (row[filterBy] ?? null)
  if (filterBy === undefined || value === null) return []
  const bucket = request.buckets.find(({ id }) => id === filterBy)
  const field = bucket?.type === 'terms' ? bucket.field : table.columns.find(({ id }) => id === filterBy)?.field
  return field === undefined ? [] : [{ field, value }]
}

function cutNote({ label, request: { documents } }: MapLayer, { rows }: Table): string[] {
  return documents && rows.length >= documents.size ? [messages.map.firstDocuments(label, rows.length)] : []
}
