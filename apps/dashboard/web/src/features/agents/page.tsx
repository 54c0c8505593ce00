import { Route, Switch } from 'wouter'
import { AddAgent } from './add-agent.tsx'
import { AgentList } from './agent-list.tsx'

/** The agents, and how to add one. */
export function Page() {
  return (
    <Switch>
      <Route path="/add">
        <AddAgent />
      </Route>
      <Route>
        <AgentList />
      </Route>
    </Switch>
  )
}
