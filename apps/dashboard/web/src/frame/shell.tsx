import { ActionIcon, AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import type { Feature, FeatureProgram } from '../features/feature.ts'
import { features } from '../features/registry.ts'
import { Logo } from '../shell/logo.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { PageBoundary } from '../shell/page-boundary.tsx'
import { LoadingState } from '../shell/states.tsx'
import { basePath } from '../url-state/app-path.ts'
import { Navigation } from './navigation.tsx'

interface FeaturePage {
  readonly feature: Feature
  readonly Page: ComponentType
}

let first: FeaturePage | undefined
let pages: readonly FeaturePage[] | undefined

/** Loads the program of the page that is opened, so that it is drawn with the shell and not after it; if it fails, the page itself says so. */
export async function loadFirstPage(): Promise<FeatureProgram | undefined> {
  const path = window.location.pathname.slice(basePath().length)
  const feature = features.find((one) => path.startsWith(`/app/${one.path}`)) ?? features[0]
  if (!feature) return undefined
  const program = await feature.load()
  first = { feature, Page: program.Page }
  return program
}

/** The pages of all features, always the same: another component in a page's place would begin it anew. */
function allPages(): readonly FeaturePage[] {
  pages ??= features.map((feature) => {
    if (feature === first?.feature) return first
    return { feature, Page: lazy(async () => ({ default: (await feature.load()).Page })) }
  })
  return pages
}

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
      <SkipLink />
      <AppShell.Header hiddenFrom="sm" className="no-print">
        <Group h="100%" px="sm">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Navigation" />
          <Logo size={24} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        className="no-print shell-navigation"
        data-opened={opened || undefined}
        bg="var(--panel-background)"
        p="xs"
      >
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
      <AppShell.Main id={mainId} tabIndex={-1}>
        <Pages />
      </AppShell.Main>
    </AppShell>
  )
}

const mainId = 'main'

/** Leads past the navigation: the first thing that the Tab key reaches on every page. */
function SkipLink() {
  return (
    <a
      className="skip-link no-print"
      href={`#${mainId}`}
      onClick={(event) => {
        // The address is the state of the page: nothing is added to it.
        event.preventDefault()
        document.getElementById(mainId)?.focus()
      }}
    >
      Skip to the page
    </a>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/app/discover" replace />
      </Route>
      {allPages().map(({ feature, Page }) => (
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
