import { Anchor, Flex, Text } from '@mantine/core'
import { Link } from 'wouter'
import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { appPath } from '../../../url-state/app-path.ts'
import { pathId } from '../../../url-state/path-id.ts'
import { useUrlState } from '../../../url-state/use-url-state.ts'
import { messages } from '../messages.ts'
import { dashboardSearch } from '../model/drilldowns.ts'
import { definePanel, type PanelProps } from '../model/panel.ts'

/** Links to other dashboards and to pages elsewhere. */
export const links = definePanel('links', LinksPanel)

function LinksPanel({ panel, context }: PanelProps) {
  const isHorizontal = panel.attributes['layout'] === 'horizontal'
  const entries = [...jsonArray(panel.attributes['links'])].sort(
    (left, right) => (number(left['order']) ?? 0) - (number(right['order']) ?? 0),
  )
  return (
    <Flex
      direction={isHorizontal ? 'row' : 'column'}
      gap={isHorizontal ? 'md' : 4}
      wrap="wrap"
      p="xs"
      data-testid="panel-drawn"
    >
      {entries.map((entry, index) => {
        const key = text(entry['id']) ?? String(index)
        return entry['type'] === 'externalLink' ? (
          <ExternalLink key={key} entry={entry} />
        ) : (
          <DashboardLink key={key} entry={entry} panel={panel} context={context} />
        )
      })}
    </Flex>
  )
}

function ExternalLink({ entry }: { entry: Json }) {
  const href = text(entry['destination']) ?? ''
  const label = text(entry['label']) || href
  // Nobody is sent to an address that would run in the page.
  if (!/^https?:\/\//i.test(href)) return <Unfollowed label={label} reason={messages.noWebAddress} />
  return (
    <Anchor href={href} rel="noreferrer" size="sm" {...target(entry, true)}>
      {label}
    </Anchor>
  )
}

/** A link to a dashboard; it takes the range, the query and the filters along unless its author said otherwise. */
function DashboardLink({ entry, panel, context }: PanelProps & { readonly entry: Json }) {
  const refresh = useUrlState().get('refresh')
  const id = panel.references.find(({ name }) => name === entry['destinationRefName'])?.id
  const found = id === undefined ? undefined : context.objects.get(`dashboard:${id}`)
  const label = text(entry['label']) || text(found?.attributes['title']) || id || ''
  if (id === undefined || !found) return <Unfollowed label={label} reason={messages.noSuchDashboard} />
  const options = jsonObject(entry['options'])
  const keeps = (key: string): boolean => options[key] !== false
  const kept = { type: 'dashboard', id, keepsRange: keeps('useCurrentDateRange') } as const
  const taken = dashboardSearch(
    { ...kept, keepsFilters: keeps('useCurrentFilters') },
    { ...context.address, filters: context.pills, panelTitle: panel.title, chosen: undefined },
  )
  const search = [...(taken === '' ? [] : [taken]), ...(refresh ? [`refresh=${refresh}`] : [])].join('&')
  const path = `/app/dashboards/${encodeURIComponent(id)}${search === '' ? '' : `?${search}`}`
  const isHere = pathId(window.location.pathname) === id
  return (
    <Anchor
      component={Link}
      href={appPath(path)}
      size="sm"
      {...target(entry, false)}
      {...(isHere ? { 'aria-current': 'page' as const, fw: 700 } : {})}
    >
      {label}
    </Anchor>
  )
}

function target(entry: Json, isNewTab: boolean): { target?: '_blank' } {
  return (jsonObject(entry['options'])['openInNewTab'] ?? isNewTab) === true ? { target: '_blank' } : {}
}

/** A link that leads nowhere stays in its place, and says why. */
function Unfollowed({ label, reason }: { label: string; reason: string }) {
  return (
    <Text size="sm" className="muted">
      {label} ({reason})
    </Text>
  )
}
