import type { AlertDocument } from '@logstack/contracts'
import { Anchor, Badge, Code, Collapse, Drawer, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'wouter'
import { useIndexPatterns } from '../../api/saved-objects.ts'
import { formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import { appPath } from '../../url-state/app-path.ts'
import { SilenceButtons, StatusButtons } from './alert-actions.tsx'
import { statusLabels } from './alert-table.tsx'
import { AlertTimeline } from './alert-timeline.tsx'
import { discoverSearch } from './discover-search.ts'
import { messages } from './messages.ts'
import { SeverityBadge } from './severity-badge.tsx'
import type { Alert } from './use-alerts.ts'

/** One alert in full, and what can be done with it. */
export function AlertDrawer({ alert, onClose }: { alert: Alert | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={alert !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={alert?.document.rule.name ?? messages.details}
    >
      {alert && <Details alert={alert} key={alert.id} />}
    </Drawer>
  )
}

function Details({ alert }: { alert: Alert }) {
  const { id, document } = alert
  const patterns = useIndexPatterns()
  const [isRawShown, raw] = useDisclosure(false)
  const { severity, status } = document.logstack.alert
  return (
    <Stack>
      <Group gap="xs">
        <SeverityBadge severity={severity} />
        <Badge variant="default">{statusLabels[status]}</Badge>
      </Group>
      <Text>{document.message}</Text>
      {document.rule.description && (
        <Text size="sm" className="muted">
          {document.rule.description}
        </Text>
      )}
      <StatusButtons id={id} status={status} />
      <SilenceButtons document={document} />
      <Facts document={document} />
      <Group gap="md">
        <Anchor
          component={Link}
          href={appPath(`/app/discover?${discoverSearch(document, patterns.data ?? [])}`)}
          size="sm"
        >
          {messages.showEvents}
        </Anchor>
        <Anchor
          component={Link}
          href={appPath(`/app/rules?${new URLSearchParams({ rule: document.rule.id })}`)}
          size="sm"
        >
          {messages.ruleLink}
        </Anchor>
      </Group>
      <AlertTimeline alert={alert} />
      <Untold document={document} />
      <UnstyledButton onClick={raw.toggle} aria-expanded={isRawShown} fz="sm" c="var(--mantine-color-anchor)">
        {messages.rawAlert}
      </UnstyledButton>
      <Collapse expanded={isRawShown}>
        <Code block fz="xs" mah={480} style={{ overflow: 'auto' }}>
          {JSON.stringify(document, null, 2)}
        </Code>
      </Collapse>
    </Stack>
  )
}

function Facts({ document }: { document: AlertDocument }) {
  const { alert } = document.logstack
  const { tactic, technique } = document.threat ?? {}
  const rows: [string, string][] = [
    [messages.time, formatInstant(Date.parse(document['@timestamp']))],
    [messages.host, document.host?.name ?? '-'],
    ...(alert.key !== undefined && alert.key_field !== undefined
      ? [[messages.key, messages.keyOf(alert.key_field, alert.key)] as [string, string]]
      : []),
    [messages.reason, alert.reason],
    [messages.events, formatNumber(alert.count)],
    [messages.firstEvent, formatInstant(Date.parse(alert.first_event))],
    [messages.lastEvent, formatInstant(Date.parse(alert.last_event))],
    ...(document.threat
      ? [[messages.technique, [...(tactic?.name ?? []), ...(technique?.id ?? [])].join(', ')] as [string, string]]
      : []),
  ]
  return (
    <Table withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={130}>{label}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

// Channels that are switched off are no moments of the timeline.
function Untold({ document }: { document: AlertDocument }) {
  const { notifications } = document.logstack.alert
  if (notifications.length === 0)
    return (
      <Text size="xs" className="muted">
        {messages.notTold}
      </Text>
    )
  return notifications
    .filter(({ state }) => state === 'off')
    .map(({ channel, error }) => (
      <Text key={channel} size="xs" className="muted">
        {messages.off(channel)}
        {error === undefined ? '' : `: ${error}`}
      </Text>
    ))
}
