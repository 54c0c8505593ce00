import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptObject } from '../dashboard-page.ts'
import { type Json, object, text } from './json.ts'

/** The id of the dashboard that shows all of them. */
export const everyKindId = 'every-kind'

/** Every saved object of a folder of examples, as an export would hold it, and a dashboard with all that can lie on one. */
export function exampleObjects(folder: string): KeptObject[] {
  const examples = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => exampleOf(name.replace(/\.json$/, ''), object(JSON.parse(readFileSync(join(folder, name), 'utf8')))))
  const shown = examples.filter(({ type }) => ['lens', 'visualization', 'search', 'links'].includes(type))
  const panels = shown.map(({ type, id }, at) => ({
    type,
    panelIndex: id,
    gridData: { x: (at % 4) * 12, y: Math.floor(at / 4) * 10, w: 12, h: 10, i: id },
    panelRefName: `panel_${id}`,
    embeddableConfig: {},
  }))
  const dashboard: KeptObject = {
    type: 'dashboard',
    id: everyKindId,
    attributes: {
      title: 'Every kind',
      panelsJSON: JSON.stringify(panels),
      optionsJSON: '{}',
      kibanaSavedObjectMeta: { searchSourceJSON: '{}' },
    },
    references: shown.map(({ type, id }) => ({ type, id, name: `${id}:panel_${id}` })),
  }
  return [...examples, dashboard]
}

function exampleOf(id: string, example: Json): KeptObject {
  if (example['value'] === undefined) {
    const { type, id: own, attributes, references } = example
    return { type: text(type), id: text(own), attributes, references }
  }
  const value = object(example['value'])
  if (value['visualizationType'] !== undefined) {
    const { references, type: _lens, ...attributes } = value
    return { type: 'lens', id, attributes, references }
  }
  if (value['columns'] !== undefined) return { type: 'search', id, attributes: value, references: [] }
  const data = object(value['data'])
  const visState = {
    title: value['title'],
    type: value['type'],
    params: value['params'],
    aggs: value['aggs'] ?? data['aggs'],
  }
  const indexRefName = 'kibanaSavedObjectMeta.searchSourceJSON.index'
  const searchSourceJSON = JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [], indexRefName })
  const attributes = {
    title: text(value['title']),
    visState: JSON.stringify(visState),
    uiStateJSON: '{}',
    kibanaSavedObjectMeta: { searchSourceJSON },
  }
  return {
    type: 'visualization',
    id,
    attributes,
    references: [{ type: 'index-pattern', id: 'logs-*', name: indexRefName }],
  }
}
