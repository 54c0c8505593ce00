import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Counted, rowsOf } from './count.ts'
import { type Document, valuesOf } from './document.ts'
import { type Json, list, object, text } from './json.ts'
import { legacyCounted } from './legacy.ts'
import { lensCounted, lensReference } from './lens.ts'
import { filterTest, queryTest, type Test } from './words.ts'

interface SavedObject {
  readonly type: string
  readonly id: string
  readonly attributes: Json
  readonly references: readonly Reference[]
}

interface Reference {
  readonly name: string
  readonly type: string
  readonly id: string
}

/** A panel with data, and the rows it must show. */
export interface ExpectedPanel {
  readonly dashboard: string
  readonly panel: string
  readonly title: string
  readonly kind: string
  readonly rows: readonly (readonly string[])[]
}

interface Source {
  readonly index: string
  readonly timeField: string
  readonly test: Test
}

type Objects = ReadonlyMap<string, SavedObject>

/** The seed documents: flat, with their index as `_index`. */
function seedDocuments(fixtures: string): Document[] {
  return lines(join(fixtures, 'seed-docs.ndjson')).map((line) => JSON.parse(line) as Document)
}

/** Every panel with data of the two exports, by dashboard. */
export function expectedPanels(fixtures: string): ExpectedPanel[] {
  const all = ['elastic.ndjson', 'wazuh.ndjson']
    .flatMap((name) => lines(join(fixtures, name)))
    .map((line) => JSON.parse(line) as Partial<SavedObject>)
    .filter((one): one is SavedObject => one.type !== undefined)
  const objects: Objects = new Map(all.map((one) => [`${one.type}:${one.id}`, one]))
  const documents = seedDocuments(fixtures)
  return all
    .filter(({ type }) => type === 'dashboard')
    .flatMap((dashboard) =>
      list(dashboard.attributes['panelsJSON']).flatMap((panel) => expectedOf(panel, dashboard, objects, documents)),
    )
}

function expectedOf(
  panel: Json,
  dashboard: SavedObject,
  objects: Objects,
  documents: readonly Document[],
): ExpectedPanel[] {
  const id = text(panel['panelIndex'])
  const config = object(panel['embeddableConfig'])
  const own = dashboard.references
    .filter(({ name }) => name.startsWith(`${id}:`))
    .map((reference) => ({ ...reference, name: reference.name.slice(id.length + 1) }))
  const drawn = own.find(({ name }) => name.startsWith('panel_'))
  const saved = drawn && objects.get(`${drawn.type}:${drawn.id}`)
  const named = { dashboard: dashboard.id, panel: id, title: text(panel['title'] ?? saved?.attributes['title']) }
  if (text(panel['type']) === 'lens') {
    const attributes = object(config['attributes'])
    const { source, counted } = lensPanel(attributes, config, own, objects)
    return [{ ...named, kind: text(attributes['visualizationType']), rows: rowsOf(counted, within(source, documents)) }]
  }
  if (saved?.type === 'search') {
    const source = sourceOf(saved.attributes, saved.references, objects)
    const columns = list(config['columns'] ?? saved.attributes['columns']).map(String)
    return [{ ...named, kind: 'search', rows: documentRows(within(source, documents), columns, source.timeField) }]
  }
  const savedVis = object(config['savedVis'])
  const isByValue = savedVis['type'] !== undefined
  const state = isByValue ? savedVis : object(saved?.attributes['visState'])
  const kind = text(state['type'])
  if (kind === '' || kind === 'markdown' || kind === 'input_control_vis') return []
  const holder = isByValue ? object(savedVis['data']) : (saved?.attributes ?? {})
  const source = sourceOf(holder, isByValue ? own : (saved?.references ?? []), objects)
  const counted = legacyCounted(isByValue ? holder['aggs'] : state['aggs'])
  return [{ ...named, kind, rows: rowsOf(counted, within(source, documents)) }]
}

function lensPanel(
  attributes: Json,
  config: Json,
  own: readonly Reference[],
  objects: Objects,
): { source: Source; counted: Counted } {
  const state = object(attributes['state'])
  const name = lensReference(attributes)
  const view = own.find((reference) => reference.name === name)?.id
  const { counted, test } = lensCounted(attributes)
  const tests = [
    test,
    queryTest(object(state['query'])['query']),
    queryTest(object(config['query'])['query']),
    filterTest(list(state['filters'])),
    filterTest(list(config['filters'])),
  ]
  return { source: { ...viewOf(view, objects), test: (document) => tests.every((one) => one(document)) }, counted }
}

/** Where a visualization or saved search looks, with the saved search it stands on. */
function sourceOf(holder: Json, references: readonly Reference[], objects: Objects): Source {
  const source = object(holder['searchSource'] ?? object(holder['kibanaSavedObjectMeta'])['searchSourceJSON'])
  const belowId = references.find(({ type }) => type === 'search')?.id
  const below = belowId === undefined ? undefined : objects.get(`search:${belowId}`)
  const lower = below && sourceOf(below.attributes, below.references, objects)
  const view = references.find(({ type, name }) => type === 'index-pattern' && name.endsWith('.index'))?.id
  const tests = [queryTest(object(source['query'])['query']), filterTest(list(source['filter']))]
  if (lower) tests.push(lower.test)
  const where = view === undefined && lower ? lower : viewOf(view, objects)
  return { index: where.index, timeField: where.timeField, test: (document) => tests.every((one) => one(document)) }
}

function viewOf(id: string | undefined, objects: Objects): { index: string; timeField: string } {
  const view = id === undefined ? undefined : objects.get(`index-pattern:${id}`)
  if (!view) throw new Error(`the export has no data view ${id}`)
  return { index: text(view.attributes['title']), timeField: text(view.attributes['timeFieldName']) }
}

function within({ index, test }: Source, documents: readonly Document[]): Document[] {
  const isPattern = index.endsWith('*')
  const name = isPattern ? index.slice(0, -1) : index
  return documents.filter((document) => {
    const from = text(document['_index'])
    return (isPattern ? from.startsWith(name) : from === name) && test(document)
  })
}

function documentRows(documents: readonly Document[], columns: readonly string[], timeField: string): string[][] {
  return documents.map((document) => {
    const shown = [...new Set([timeField, ...columns])].map((name) => cellOf(document, name, timeField))
    if (columns.length > 0) return shown
    const kept = Object.entries(document).filter(([name]) => name !== '_index' && !name.endsWith('.text'))
    return [...shown, JSON.stringify(Object.fromEntries(kept))]
  })
}

function cellOf(document: Document, name: string, timeField: string): string {
  const values = valuesOf(document, name)
  if (values.length === 0) return '-'
  const isTime = name === timeField
  return values.map((value) => (isTime ? timeText(String(value)) : String(value))).join(', ')
}

function timeText(value: string): string {
  return new Date(value).toISOString().replace('T', ' ').replace('Z', '')
}

function lines(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
