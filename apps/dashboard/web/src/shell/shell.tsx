import { ActionIcon, AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { features } from '../features/registry.ts'
import { basePath } from '../url-state/app-path.ts'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { NotFound } from './not-found.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { LoadingState } from './states.tsx'

const pages = features.map((feature) => ({
  feature,
  Page: lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await feature.load()).Page })),
}))

// The program of the page that is opened comes along while the session is asked for; if it fails, the page itself says so.
const path = window.location.pathname.slice(basePath().length)
const first = features.find((feature) => path.startsWith(`/app/${feature.path}`)) ?? features[0]
first?.load().catch(() => undefined)

/** Navigation beside the page; on small screens it hides behind a button. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false)
  const [narrow, setNarrow] = useLocalStorage({ key: 'logstack.navigation.narrow', defaultValue: false })
  const width = narrow ? 60 : 216
  return (
    <AppShell
      navbar={{ width, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      header={{ height: { base: 48, sm: 0 } }}
      transitionDuration={0}
    >
      <AppShell.Header hiddenFrom="sm" className="no-print">
        <Group h="100%" px="sm">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Navigation" />
          <Logo size={24} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="no-print" bg="var(--panel-background)" p="xs">
        <Group h={40} px={6} mb="xs" justify="space-between" visibleFrom="sm" wrap="nowrap">
          {!narrow && <Logo size={26} />}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={narrow ? 'Widen navigation' : 'Narrow navigation'}
            onClick={() => setNarrow(!narrow)}
          >
            {narrow ? <PanelLeftOpen size={18} /> : <PanelLeftClose size={18} />}
          </ActionIcon>
        </Group>
        <Navigation narrow={narrow} onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main">
        <Pages />
      </AppShell.Main>
    </AppShell>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/app/discover" replace />
      </Route>
      {pages.map(({ feature, Page }) => (
        <Route key={feature.id} path={`/app/${feature.path}`} nest>
          <PageBoundary key={feature.id}>
            <Suspense fallback={<LoadingState label={`Loading ${feature.title}`} />}>
              <Page />
            </Suspense>
          </PageBoundary>
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
