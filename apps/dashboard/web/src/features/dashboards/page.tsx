import { Route, Switch } from 'wouter'
import { pathId } from '../../url-state/path-id.ts'
import { DashboardList } from './dashboard-list.tsx'
import { DashboardView } from './dashboard-view.tsx'

export { askPanels as askFirst } from './ask-panels.ts'

import './dashboards.css'

/** The list of dashboards, and one of them. */
export function Page() {
  return (
    <Switch>
      <Route path="/:id">
        {() => {
          const id = pathId(window.location.pathname)
          return <DashboardView key={id} id={id} />
        }}
      </Route>
      <Route>
        <DashboardList />
      </Route>
    </Switch>
  )
}
