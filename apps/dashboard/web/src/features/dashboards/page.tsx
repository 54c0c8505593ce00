import { Route, Switch } from 'wouter'
import { DashboardList } from './dashboard-list.tsx'
import { DashboardView } from './dashboard-view.tsx'

export { askPanels as askFirst } from './ask-panels.ts'

import './dashboards.css'

/** The list of dashboards, and one of them. */
export function Page() {
  return (
    <Switch>
      <Route path="/:id">{({ id }) => <DashboardView key={id} id={decodeURIComponent(id)} />}</Route>
      <Route>
        <DashboardList />
      </Route>
    </Switch>
  )
}
