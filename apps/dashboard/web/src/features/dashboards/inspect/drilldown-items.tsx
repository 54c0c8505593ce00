import { Menu } from '@mantine/core'
import { Compass, ExternalLink, LayoutDashboard } from 'lucide-react'
import { Link } from 'wouter'
import { appPath } from '../../../url-state/app-path.ts'
import { discoverParameters } from '../model/discover-link.ts'
import { drilldownsOf } from '../model/drilldowns.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import { withOwnRange } from '../model/panel-range.ts'
import { type DrilldownLink, drilldownLinks } from './drilldown-links.ts'
import { messages } from './messages.ts'
import { usePanelAnswers } from './panel-answers.ts'

/** The ways on from a panel: its author's drilldowns, and its documents in Discover where Discover can show just them. */
export function DrilldownItems({ panel, context: shared }: { panel: PanelModel; context: DashboardContext }) {
  const context = withOwnRange(panel, shared, new Date())
  const [answer] = usePanelAnswers(panel.id)
  const state = { ...context.address, panelTitle: panel.title, filters: context.pills, chosen: undefined }
  const links = drilldownLinks(
    drilldownsOf(panel).filter(({ onValue }) => !onValue),
    state,
  )
  const discover = answer?.request && discoverParameters(answer.request, context)
  return (
    <>
      {links.map((link) => (
        <DrilldownItem key={link.id} link={link} />
      ))}
      {discover && (
        <Menu.Item
          leftSection={<Compass size={14} />}
          component={Link}
          href={appPath(`/app/discover?${discover.toString()}`)}
        >
          {messages.discover}
        </Menu.Item>
      )}
    </>
  )
}

function DrilldownItem({ link }: { link: DrilldownLink }) {
  if ('path' in link) {
    return (
      <Menu.Item leftSection={<LayoutDashboard size={14} />} component={Link} href={link.path}>
        {link.name}
      </Menu.Item>
    )
  }
  const tab = link.newTab ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <Menu.Item leftSection={<ExternalLink size={14} />} component="a" href={link.href} {...tab}>
      {link.name}
    </Menu.Item>
  )
}
