import { appPath, basePath } from '../../../url-state/app-path.ts'
import { type Drilldown, type DrilldownState, dashboardSearch, urlOf } from '../model/drilldowns.ts'

/** Where a drilldown leads: a page of the product, or one elsewhere. */
export type DrilldownLink =
  | { readonly name: string; readonly id: string; readonly path: string }
  | { readonly name: string; readonly id: string; readonly href: string; readonly newTab: boolean }

/** The links of drilldowns; addresses nobody shall be sent to are left out. */
export function drilldownLinks(drilldowns: readonly Drilldown[], state: DrilldownState): DrilldownLink[] {
  return drilldowns.flatMap(({ id, name, target }): DrilldownLink[] => {
    if (target.type === 'dashboard') {
      const search = dashboardSearch(target, state)
      const path = appPath(`/app/dashboards/${encodeURIComponent(target.id)}${search === '' ? '' : `?${search}`}`)
      return [{ id, name, path }]
    }
    const href = urlOf(target.template, state, `${window.location.origin}${basePath()}`)
    return href === undefined ? [] : [{ id, name, href, newTab: target.newTab }]
  })
}
