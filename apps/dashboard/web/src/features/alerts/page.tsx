import type { AlertSeverity, AlertStatus } from '@logstack/contracts'
import { Badge, SegmentedControl, Table, Text, UnstyledButton } from '@mantine/core'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { Page as PageFrame } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { TimePicker } from '../../time/time-picker.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { useTimeRange } from '../../time/use-time-range.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { AlertDrawer } from './alert-drawer.tsx'
import { messages } from './messages.ts'
import { type Alert, useAlerts } from './use-alerts.ts'

const initialRange = { from: 'now-24h', to: 'now' }
const severityColors: Readonly<Record<AlertSeverity, string>> = {
  low: 'blue',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
}
const statusLabels: Readonly<Record<AlertStatus, string>> = {
  open: messages.open,
  acknowledged: messages.acknowledged,
  closed: messages.closed,
}
const statusOptions = [
  { value: 'all', label: messages.allStatuses },
  ...Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
]

/** The list of alerts and the details of one. */
export function Page() {
  const url = useUrlState()
  const time = useTimeRange(initialRange)
  const found = useAlerts(time)
  const [openId, setOpenId] = useState<string>()
  const status = url.get('status') ?? 'all'
  const alerts = found.data?.alerts ?? []
  const shown = status === 'all' ? alerts : alerts.filter(({ document }) => document.logstack.alert.status === status)
  return (
    <PageFrame
      title={messages.title}
      description={found.data ? messages.count(alerts.length, found.data.total) : messages.description}
      actions={
        <>
          <SegmentedControl
            aria-label={messages.status}
            size="xs"
            data={statusOptions}
            value={status}
            onChange={(next) => url.set({ status: next === 'all' ? undefined : next }, { replace: true })}
          />
          <TimePicker time={time} busy={found.isFetching} />
        </>
      }
    >
      <div className="panel">
        {found.isPending && <LoadingState />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && shown.length === 0 && (
          <EmptyState title={messages.emptyTitle} icon={<BellRing size={32} strokeWidth={1.5} />}>
            {messages.emptyText}
          </EmptyState>
        )}
        {shown.length > 0 && <AlertTable alerts={shown} onOpen={setOpenId} />}
      </div>
      <AlertDrawer alert={alerts.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </PageFrame>
  )
}

function AlertTable({ alerts, onOpen }: { alerts: readonly Alert[]; onOpen: (id: string) => void }) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={190}>{messages.time}</Table.Th>
            <Table.Th w={100}>{messages.severity}</Table.Th>
            <Table.Th>{messages.rule}</Table.Th>
            <Table.Th>{messages.what}</Table.Th>
            <Table.Th>{messages.host}</Table.Th>
            <Table.Th w={130}>{messages.status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {alerts.map(({ id, document }) => (
            <Table.Tr key={id} data-testid="alert-row">
              <Table.Td className="mono" fz="xs">
                {formatInstant(Date.parse(document['@timestamp'])).slice(0, 19)}
              </Table.Td>
              <Table.Td>
                <SeverityBadge severity={document.logstack.alert.severity} />
              </Table.Td>
              <Table.Td>
                <UnstyledButton onClick={() => onOpen(id)} c="var(--mantine-color-anchor)" fw={500} fz="sm">
                  {document.rule.name}
                </UnstyledButton>
              </Table.Td>
              <Table.Td>
                <Text size="sm" lineClamp={2}>
                  {document.message}
                </Text>
              </Table.Td>
              <Table.Td>{document.host?.name ?? '-'}</Table.Td>
              <Table.Td>
                <Badge variant="default">{statusLabels[document.logstack.alert.status]}</Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function SeverityBadge({ severity }: { severity: AlertSeverity }) {
  return (
    <Badge color={severityColors[severity]} variant="light">
      {severity}
    </Badge>
  )
}
