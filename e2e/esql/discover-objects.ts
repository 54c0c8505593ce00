import type { KeptObject } from '../dashboard-page.ts'

const view = 'web-pattern'
const index = 'web-events'

/** The id of the saved search. */
export const savedId = 'first-rows'

/** The objects to import: a pattern, a saved search in ES|QL as Kibana 8 and 9 export it, and a dashboard that shows it. */
export function discoverObjects(): KeptObject[] {
  const source = {
    query: { esql: `FROM ${index} | KEEP host.name, bytes | LIMIT 5` },
    index: { id: 'ad-hoc', title: index, timeFieldName: '@timestamp', type: 'esql', allowNoIndex: false, name: index },
    filter: [],
  }
  const search: KeptObject = {
    type: 'search',
    id: savedId,
    attributes: {
      title: 'First rows',
      description: '',
      columns: [],
      sort: [],
      grid: {},
      hideChart: false,
      isTextBasedQuery: true,
      timeRestore: false,
      usesAdHocDataView: true,
      kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
    },
    references: [],
  }
  const panel = {
    type: 'search',
    panelIndex: 'search',
    panelRefName: 'panel_search',
    gridData: { x: 0, y: 0, w: 24, h: 15, i: 'search' },
    embeddableConfig: {},
  }
  const dashboard: KeptObject = {
    type: 'dashboard',
    id: 'with-search',
    attributes: {
      title: 'With a search',
      description: '',
      panelsJSON: JSON.stringify([panel]),
      optionsJSON: '{}',
      timeRestore: false,
      version: 1,
      kibanaSavedObjectMeta: {
        searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }),
      },
    },
    references: [{ type: 'search', id: savedId, name: 'search:panel_search' }],
  }
  const pattern: KeptObject = {
    type: 'index-pattern',
    id: view,
    attributes: { title: index, name: index, timeFieldName: '@timestamp' },
    references: [],
  }
  return [pattern, search, dashboard]
}
