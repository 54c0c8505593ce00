import { type Json, jsonArray, jsonObject, text, texts } from '../../../kibana/saved-json.ts'
import type { QueryLanguage } from '../../../query/build-query.ts'
import type { TimeRange } from '../../../time/time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { PanelModel } from './panel-model.ts'

/** A way from one panel to a page that says more, as its dashboard's author set it up. */
export interface Drilldown {
  readonly id: string
  readonly name: string
  /** Whether it begins at a value somebody clicked; else in the panel's menu. */
  readonly onValue: boolean
  readonly target:
    | { readonly type: 'dashboard'; readonly id: string; readonly keepsRange: boolean; readonly keepsFilters: boolean }
    | { readonly type: 'url'; readonly template: string; readonly newTab: boolean }
}

/** The drilldowns of a panel; kinds that are not known and dashboards that are not named are left out. */
export function drilldownsOf(panel: PanelModel): Drilldown[] {
  const actions = jsonObject(jsonObject(panel.config['enhancements'])['dynamicActions'])
  return jsonArray(actions['events']).flatMap((event) => {
    const id = text(event['eventId']) ?? ''
    const action = jsonObject(event['action'])
    const target = targetOf(id, action, panel)
    const onValue = texts(event['triggers']).some((trigger) => !trigger.startsWith('CONTEXT_MENU'))
    return target ? [{ id, name: text(action['name']) ?? '', onValue, target }] : []
  })
}

function targetOf(eventId: string, action: Json, panel: PanelModel): Drilldown['target'] | undefined {
  const config = jsonObject(action['config'])
  switch (action['factoryId']) {
    case 'DASHBOARD_TO_DASHBOARD_DRILLDOWN': {
      const name = `drilldown:DASHBOARD_TO_DASHBOARD_DRILLDOWN:${eventId}:dashboardId`
      const id = panel.references.find((reference) => reference.name === name)?.id ?? text(config['dashboardId'])
      const keeps = (key: string): boolean => config[key] !== false
      return id === undefined
        ? undefined
        : { type: 'dashboard', id, keepsRange: keeps('useCurrentDateRange'), keepsFilters: keeps('useCurrentFilters') }
    }
    case 'URL_DRILLDOWN': {
      const template = text(jsonObject(config['url'])['template'])
      return template === undefined ? undefined : { type: 'url', template, newTab: config['openInNewTab'] !== false }
    }
    default:
      return undefined
  }
}

/** What a drilldown takes along. */
export interface DrilldownState {
  readonly range: TimeRange
  readonly query: string
  readonly language?: QueryLanguage
  readonly filters: readonly FieldFilter[]
  readonly panelTitle: string
  /** What was clicked. */
  readonly chosen: FieldFilter | undefined
}

/** The parameters with which the other dashboard opens. */
export function dashboardSearch(
  target: Extract<Drilldown['target'], { type: 'dashboard' }>,
  state: DrilldownState,
): string {
  const parameters = new URLSearchParams()
  if (target.keepsRange) {
    parameters.set('from', state.range.from)
    parameters.set('to', state.range.to)
  }
  if (target.keepsFilters && state.query !== '') {
    parameters.set('query', state.query)
    if (state.language === 'lucene') parameters.set('language', state.language)
  }
  // Pinned filters go along wherever somebody goes.
  const kept = state.filters.filter(({ pinned }) => target.keepsFilters || pinned)
  const filters = [...kept, ...(state.chosen ? [state.chosen] : [])]
  if (filters.length > 0) parameters.set('filters', JSON.stringify(filters))
  return parameters.toString()
}

/** The address of a URL drilldown; undefined for one that is no web address, which nobody shall be sent to. */
export function urlOf(template: string, state: DrilldownState, ownUrl: string): string | undefined {
  const values: Readonly<Record<string, string>> = {
    kibanaUrl: ownUrl,
    'event.value': String(state.chosen?.value ?? ''),
    'event.key': state.chosen?.field ?? '',
    'context.panel.title': state.panelTitle,
    'context.panel.query.query': state.query,
    'context.panel.timeRange.from': state.range.from,
    'context.panel.timeRange.to': state.range.to,
  }
  const filled = template.replaceAll(/\{\{\{?\s*([\w.]+)\s*\}?\}\}/g, (_, name: string) =>
    name === 'kibanaUrl' ? ownUrl : encodeURIComponent(values[name] ?? ''),
  )
  return /^https?:\/\//i.test(filled) ? filled : undefined
}
