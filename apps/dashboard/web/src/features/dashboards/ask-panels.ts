import type { QueryClient } from '@tanstack/react-query'
import { whenSent } from '../../api/when-sent.ts'
import { readCharts } from '../../charts/chart.tsx'
import { readChoices } from '../../esql/variables.ts'
import { pillClauses } from '../../query/build-query.ts'
import { readLanguage } from '../../query/language.ts'
import { sharedFields } from '../../query/shared-fields.ts'
import { openingTime } from '../../time/opening-time.ts'
import { defaultRange, resolveRange } from '../../time/time-range.ts'
import { basePath } from '../../url-state/app-path.ts'
import { readFilters } from '../../url-state/field-filters.ts'
import { pathId } from '../../url-state/path-id.ts'
import { tableQuery } from './answers/use-table.ts'
import { type DashboardModel, dashboardOf } from './model/dashboard.ts'
import type { LoadedDashboard } from './model/load-dashboard.ts'
import type { ObjectMap } from './model/objects.ts'
import type { DashboardContext } from './model/panel.ts'
import { ownRange } from './model/panel-range.ts'
import { narrowingsInForce, readChanged } from './model/saved-narrowing.ts'
import { variablesOf } from './model/variable-controls.ts'
import { isNear, kindOf } from './panel-grid.tsx'

/**
 * Asks what the panels in sight of the dashboard at this address will ask, before they are drawn: search answers while the browser draws. What a
 * panel asks for besides (other groups, time shifts) comes with it; a dashboard that changes its own questions when it opens is left alone.
 */
export async function askPanels(client: QueryClient): Promise<void> {
  const { pathname, search } = window.location
  const [, id] = /^\/app\/dashboards\/([^/]+)$/.exec(pathname.slice(basePath().length)) ?? []
  const data = id && client.getQueryData<LoadedDashboard>(['dashboard', pathId(id)])
  if (!data) return
  const parameters = new URLSearchParams(search)
  const dashboard = dashboardOf(data.saved, data.loaded)
  if (isChangedByOpening(dashboard, parameters)) return
  const context = contextOf(dashboard, data.loaded, parameters)
  const asked = dashboard.panels
    .filter((panel) => isNear(panel.place) && !ownRange(panel))
    .flatMap((panel) => {
      const kind = kindOf(panel)
      if (!kind || !('prepare' in kind)) return []
      return kind.prepare({ panel, context }).requests.map((request, at) => ({ panel, request, at }))
    })
  for (const { panel, request, at } of asked) void client.prefetchQuery(tableQuery(panel.id, at, request, context))
  const indices = new Set(asked.flatMap(({ request }) => request.index ?? []))
  await Promise.all([...indices].map(sharedFields))
  await whenSent()
  readCharts()
}

function isChangedByOpening({ timeSlider, controls }: DashboardModel, parameters: URLSearchParams): boolean {
  const isOther = ['edit', 'panel', 'slice'].some((name) => parameters.has(name))
  return isOther || timeSlider !== undefined || controls.some(({ saved }) => saved !== undefined)
}

/** The context that the view will make of the same address. */
function contextOf(dashboard: DashboardModel, objects: ObjectMap, parameters: URLSearchParams): DashboardContext {
  const range = {
    from: parameters.get('from') ?? (dashboard.range ?? defaultRange).from,
    to: parameters.get('to') ?? (dashboard.range ?? defaultRange).to,
  }
  const query = parameters.get('query') ?? ''
  const language = readLanguage(parameters.get('language') ?? undefined)
  const pills = readFilters(parameters.get('filters') ?? undefined)
  const saved = narrowingsInForce(dashboard.narrowings, readChanged(parameters.get('changed') ?? undefined))
  const nothing = (): void => undefined
  return {
    range: resolveRange(range, openingTime()),
    round: 0,
    queries: [...saved.queries, { language, query }],
    filters: [...saved.filters, ...pillClauses(pills)],
    pills,
    variables: variablesOf(dashboard.variables, readChoices(parameters.get('variables') ?? undefined)),
    objects,
    address: { range, query, language },
    onFilter: nothing,
    onFilters: nothing,
    onControl: nothing,
    onVariable: nothing,
    onZoom: nothing,
  }
}
