import type { AlertStatus } from '@logstack/contracts'
import { ActionIcon, Badge, Button, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatInstant } from '../../time/time-range.ts'
import { type AlertGroup, groupAlerts } from './group-alerts.ts'
import { messages } from './messages.ts'
import { SeverityBadge } from './severity-badge.tsx'
import { type Alert, useSetAlertStatus } from './use-alerts.ts'

/** What people may have made of an alert, in words. */
export const statusLabels: Readonly<Record<AlertStatus, string>> = {
  open: messages.open,
  acknowledged: messages.acknowledged,
  closed: messages.closed,
}

interface TableProps {
  readonly alerts: readonly Alert[]
  readonly isGrouped: boolean
  readonly onOpen: (id: string) => void
}

/** Alerts, newest first; grouped, those of one rule and key are one line that opens. */
export function AlertTable({ alerts, isGrouped, onOpen }: TableProps) {
  const groups = isGrouped ? groupAlerts(alerts) : alerts.map((alert) => ({ id: alert.id, alerts: [alert] }))
  return (
    <Table.ScrollContainer minWidth={820} type="native">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={190}>{messages.time}</Table.Th>
            <Table.Th w={120}>{messages.severity}</Table.Th>
            <Table.Th>{messages.rule}</Table.Th>
            <Table.Th>{messages.what}</Table.Th>
            <Table.Th>{messages.host}</Table.Th>
            <Table.Th w={170}>{messages.status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) =>
            group.alerts.length === 1 && group.alerts[0] ? (
              <AlertRow key={group.id} alert={group.alerts[0]} onOpen={onOpen} />
            ) : (
              <GroupRows key={group.id} group={group} onOpen={onOpen} />
            ),
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function GroupRows({ group: { alerts }, onOpen }: { group: AlertGroup; onOpen: (id: string) => void }) {
  const [isShown, setShown] = useState(false)
  const change = useSetAlertStatus()
  const [newest] = alerts
  if (!newest) return null
  const { rule, logstack } = newest.document
  const idsOf = (...statuses: AlertStatus[]): string[] =>
    alerts.filter(({ document }) => statuses.includes(document.logstack.alert.status)).map(({ id }) => id)
  const [open, unclosed] = [idsOf('open'), idsOf('open', 'acknowledged')]
  const { key, key_field: field } = logstack.alert
  return (
    <>
      <Table.Tr data-testid="alert-group">
        <Table.Td className="mono" fz="xs">
          {timeOf(newest)}
        </Table.Td>
        <Table.Td>
          <SeverityBadge severity={logstack.alert.severity} />
        </Table.Td>
        <Table.Td>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              size="sm"
              variant="subtle"
              aria-label={messages.expand(rule.name)}
              aria-expanded={isShown}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
            </ActionIcon>
            <Text size="sm" fw={600}>
              {rule.name}
            </Text>
          </Group>
        </Table.Td>
        <Table.Td>
          <Text size="sm">{messages.groupCount(alerts.length)}</Text>
          {key && field && (
            <Text size="xs" className="muted">
              {messages.keyOf(field, key)}
            </Text>
          )}
          {change.error && (
            <Text size="xs" c="red" role="alert">
              {change.error.message}
            </Text>
          )}
        </Table.Td>
        <Table.Td>{newest.document.host?.name ?? '-'}</Table.Td>
        <Table.Td>
          <Group gap={4}>
            {open.length > 0 && (
              <Button
                size="compact-xs"
                variant="light"
                loading={change.isPending}
                onClick={() => change.mutate({ ids: open, status: 'acknowledged' })}
              >
                {messages.acknowledgeAll}
              </Button>
            )}
            {unclosed.length > 0 && (
              <Button
                size="compact-xs"
                variant="default"
                loading={change.isPending}
                onClick={() => change.mutate({ ids: unclosed, status: 'closed' })}
              >
                {messages.closeAll}
              </Button>
            )}
          </Group>
        </Table.Td>
      </Table.Tr>
      {isShown && alerts.map((alert) => <AlertRow key={alert.id} alert={alert} onOpen={onOpen} isInner />)}
    </>
  )
}

function AlertRow({ alert, onOpen, isInner }: { alert: Alert; onOpen: (id: string) => void; isInner?: boolean }) {
  const { document, id } = alert
  const { severity, status } = document.logstack.alert
  return (
    <Table.Tr data-testid="alert-row">
      <Table.Td className="mono" fz="xs">
        {timeOf(alert)}
      </Table.Td>
      <Table.Td>
        <SeverityBadge severity={severity} />
      </Table.Td>
      <Table.Td {...(isInner ? { pl: 44 } : {})}>
        <UnstyledButton onClick={() => onOpen(id)} c="var(--mantine-color-anchor)" fw={500} fz="sm">
          {document.rule.name}
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <Text size="sm" lineClamp={2}>
          {document.logstack.alert.reason}
        </Text>
      </Table.Td>
      <Table.Td>{document.host?.name ?? '-'}</Table.Td>
      <Table.Td>
        <Badge variant="default">{statusLabels[status]}</Badge>
      </Table.Td>
    </Table.Tr>
  )
}

function timeOf({ document }: Alert): string {
  return formatInstant(Date.parse(document['@timestamp'])).slice(0, 19)
}
