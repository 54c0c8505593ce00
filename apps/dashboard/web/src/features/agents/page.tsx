import { Route, Switch } from 'wouter'
import { AddAgent } from './add-agent.tsx'
import { AgentList } from './agent-list.tsx'
import { PolicyList } from './policies/policy-list.tsx'
import { PolicyPage } from './policies/policy-page.tsx'

/** The agents, their policies, and how to add one. */
export function Page() {
  return (
    <Switch>
      <Route path="/add">
        <AddAgent />
      </Route>
      <Route path="/policies">
        <PolicyList />
      </Route>
      <Route path="/policies/:id">{({ id }) => <PolicyPage key={id} id={id} />}</Route>
      <Route>
        <AgentList />
      </Route>
    </Switch>
  )
}
