import { Tabs } from '@mantine/core'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { Page as PageFrame } from '../../shell/page.tsx'
import { IndexPatterns } from './index-patterns.tsx'
import { messages } from './messages.ts'
import { SavedObjects } from './saved-objects.tsx'
import { Stored } from './stored.tsx'
import { storedKinds } from './stored-kinds.ts'

const sections = [
  { path: 'saved-objects', title: messages.savedObjects, Section: SavedObjects },
  { path: 'index-patterns', title: messages.indexPatterns, Section: IndexPatterns },
] as const

/** Stack Management: one tab a section. */
export function Page() {
  const [location, navigate] = useLocation()
  const current = location.split('/')[1] ?? ''
  return (
    <PageFrame title={messages.stackManagement}>
      <Tabs value={current} onChange={(next) => next && navigate(`/${next}`)} mb="lg">
        <Tabs.List>
          {[...sections, ...storedKinds].map(({ path, title }) => (
            <Tabs.Tab key={path} value={path}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Switch>
        {sections.map(({ path, Section }) => (
          <Route key={path} path={`/${path}`}>
            <Section />
          </Route>
        ))}
        {storedKinds.map((kind) => (
          <Route key={kind.path} path={`/${kind.path}`}>
            <Stored kind={kind} />
          </Route>
        ))}
        <Route>
          <Redirect to="/saved-objects" replace />
        </Route>
      </Switch>
    </PageFrame>
  )
}
