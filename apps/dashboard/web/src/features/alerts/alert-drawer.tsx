import type { AlertDocument, AlertStatus } from '@logstack/contracts'
import { Anchor, Badge, Button, Code, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import { appPath } from '../../url-state/app-path.ts'
import { messages } from './messages.ts'
import { type Alert, useSetAlertStatus, useSilence } from './use-alerts.ts'

const marginMs = 1_000

/** One alert in full, and what can be done with it. */
export function AlertDrawer({ alert, onClose }: { alert: Alert | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={alert !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={alert?.document.rule.name ?? messages.details}
    >
      {alert && <Details alert={alert} />}
    </Drawer>
  )
}

function Details({ alert: { id, document } }: { alert: Alert }) {
  const { alert } = document.logstack
  const rows: [string, string][] = [
    [messages.time, formatInstant(Date.parse(document['@timestamp']))],
    [messages.severity, alert.severity],
    [messages.host, document.host?.name ?? '-'],
    [messages.reason, alert.reason],
    [messages.events, formatNumber(alert.count)],
    [messages.firstEvent, formatInstant(Date.parse(alert.first_event))],
    [messages.lastEvent, formatInstant(Date.parse(alert.last_event))],
    ...(document.threat ? [threatRow(document.threat)] : []),
    ...(alert.history ?? []).map(({ at, by, status }): [string, string] => [
      messages.history,
      `${formatInstant(Date.parse(at)).slice(0, 19)} ${by}: ${status}`,
    ]),
  ]
  return (
    <Stack>
      <Text>{document.message}</Text>
      {document.rule.description && (
        <Text size="sm" className="muted">
          {document.rule.description}
        </Text>
      )}
      <StatusButtons id={id} status={alert.status} />
      <SilenceButtons document={document} />
      <Table withRowBorders={false} verticalSpacing={4}>
        <Table.Tbody>
          {rows.map(([label, value]) => (
            <Table.Tr key={`${label} ${value}`}>
              <Table.Th w={130}>{label}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Anchor component={Link} href={appPath(`/app/discover?${discoverSearch(document)}`)} size="sm">
        {messages.showEvents}
      </Anchor>
      <Notifications document={document} />
      <Code block fz="xs" mah={360} style={{ overflow: 'auto' }}>
        {JSON.stringify(document, null, 2)}
      </Code>
    </Stack>
  )
}

function StatusButtons({ id, status }: { id: string; status: AlertStatus }) {
  const change = useSetAlertStatus()
  const set = (next: AlertStatus): void => change.mutate({ id, status: next })
  return (
    <Stack gap={4}>
      <Group gap="xs">
        {status === 'open' && (
          <Button size="xs" loading={change.isPending} onClick={() => set('acknowledged')}>
            {messages.acknowledge}
          </Button>
        )}
        {status !== 'closed' && (
          <Button size="xs" variant="default" loading={change.isPending} onClick={() => set('closed')}>
            {messages.close}
          </Button>
        )}
        {status !== 'open' && (
          <Button size="xs" variant="default" loading={change.isPending} onClick={() => set('open')}>
            {messages.reopen}
          </Button>
        )}
      </Group>
      {change.error && (
        <Text size="xs" c="red" role="alert">
          {change.error.message}
        </Text>
      )}
    </Stack>
  )
}

const silences = [
  { label: messages.silenceHour, minutes: 60 },
  { label: messages.silenceDay, minutes: 1440 },
  { label: messages.silenceWeek, minutes: 10_080 },
]

function SilenceButtons({ document }: { document: AlertDocument }) {
  const silence = useSilence()
  const { key, silenced } = document.logstack.alert
  const set = (minutes: number): void =>
    silence.mutate({ rule: document.rule.id, minutes, ...(key === undefined ? {} : { key }) })
  return (
    <Group gap="xs">
      <Text size="sm">{messages.silence}</Text>
      {silences.map(({ label, minutes }) => (
        <Button
          key={minutes}
          size="compact-xs"
          variant="light"
          loading={silence.isPending}
          onClick={() => set(minutes)}
        >
          {label}
        </Button>
      ))}
      {silence.isSuccess && <Text size="xs">{messages.silencedNow}</Text>}
      {silence.error && (
        <Text size="xs" c="red" role="alert">
          {silence.error.message}
        </Text>
      )}
      {silenced && (
        <Text size="xs" className="muted">
          {messages.silenced(silenced.by, formatInstant(Date.parse(silenced.until)).slice(0, 19))}
        </Text>
      )}
    </Group>
  )
}

function threatRow({ tactic, technique }: NonNullable<AlertDocument['threat']>): [string, string] {
  return [messages.technique, [...(tactic?.name ?? []), ...(technique?.id ?? [])].join(', ')]
}

function Notifications({ document }: { document: AlertDocument }) {
  const { notifications } = document.logstack.alert
  return (
    <div>
      <Text fw={600} size="sm" mb={4}>
        {messages.notifications}
      </Text>
      {notifications.length === 0 && (
        <Text size="sm" className="muted">
          {messages.noNotifications}
        </Text>
      )}
      {notifications.map(({ channel, state, error }) => (
        <Group key={channel} gap="xs">
          <Badge variant="light" color={state === 'sent' ? 'green' : state === 'failed' ? 'red' : 'gray'}>
            {state}
          </Badge>
          <Text size="sm">{channel}</Text>
          {error && (
            <Text size="xs" className="muted">
              {error}
            </Text>
          )}
        </Group>
      ))}
    </div>
  )
}

function discoverSearch(document: AlertDocument): string {
  const { first_event, last_event, key, key_field } = document.logstack.alert
  const parameters = new URLSearchParams({
    from: new Date(Date.parse(first_event) - marginMs).toISOString(),
    to: new Date(Date.parse(last_event) + marginMs).toISOString(),
  })
  const isSingle = key !== undefined && key_field !== undefined && !key_field.includes(',')
  if (isSingle) parameters.set('filters', JSON.stringify([{ field: key_field, value: key }]))
  return parameters.toString()
}
