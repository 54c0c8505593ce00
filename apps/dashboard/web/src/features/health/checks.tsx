import type { HealthDocument } from '@logstack/contracts'
import { Alert, Badge, Code, Group, Stack, Table, Text, Title } from '@mantine/core'
import { ApiError } from '../../api/client.ts'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { type LastLook, useHealth } from './use-health.ts'

const statusColors = {
  healthy: 'green',
  information: 'blue',
  unknown: 'gray',
  fault: 'red',
  consequence: 'orange',
} as const

/** What doctor saw when it last looked: faults with their evidence and repair, then the rest, a row each. */
export function Checks() {
  const look = useHealth()
  const isForbidden = look.error instanceof ApiError && look.error.status === 403
  return (
    <section className="panel" style={{ padding: 16 }} aria-label={messages.checks} data-testid="checks">
      <Title order={2} mb="sm">
        {messages.checks}
      </Title>
      {look.isPending && <LoadingState />}
      {isForbidden && <Text className="muted">{messages.notAllowed}</Text>}
      {look.isError && !isForbidden && <ErrorState error={look.error} onRetry={() => void look.refetch()} />}
      {look.data === null && <Text className="muted">{messages.neverLooked}</Text>}
      {look.data && <Look look={look.data} />}
    </section>
  )
}

function Look({ look }: { look: LastLook }) {
  const { faults, others } = look
  const summary = summaryOf(look)
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Badge size="lg" variant="light" tt="none" color={summary.color} data-testid="checks-summary">
          {summary.text}
        </Badge>
        <Text size="sm" className="muted">
          {messages.looked}: {instantText(look.time_ms)}
        </Text>
      </Group>
      {look.isStale && <Alert color="yellow">{messages.stale}</Alert>}
      {faults.map((fault) => (
        <FaultCard key={fault.check} fault={fault} />
      ))}
      <Title order={3} size="h5">
        {messages.others}
      </Title>
      <Table.ScrollContainer minWidth={500} type="native">
        <Table verticalSpacing={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={220}>{messages.check}</Table.Th>
              <Table.Th w={110}>{messages.state}</Table.Th>
              <Table.Th>{messages.detail}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {others.map((one) => (
              <Table.Tr key={one.check} data-testid="check">
                <Table.Td>{one.title}</Table.Td>
                <Table.Td>
                  <StatusBadge status={one.status} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{one.message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

// Green is only what was seen to be well.
function summaryOf({ faults, others }: LastLook): { color: string; text: string } {
  const unseen = others.filter(({ status }) => status === 'unknown').length
  const rest = unseen === 0 ? '' : `; ${messages.unseen}: ${unseen}`
  if (faults.length > 0) return { color: 'red', text: `${messages.faults}: ${faults.length}${rest}` }
  return { color: unseen > 0 ? 'gray' : 'green', text: `${messages.noFaults}${rest}` }
}

function FaultCard({ fault }: { fault: HealthDocument }) {
  return (
    <div className="panel" style={{ padding: 14, overflowWrap: 'anywhere' }} data-testid="fault">
      <Group justify="space-between" mb={6} wrap="nowrap" align="flex-start">
        <Text fw={600}>{fault.message}</Text>
        <StatusBadge status={fault.status} />
      </Group>
      <Text size="xs" className="muted" mb="xs">
        {fault.title} · {messages.since} {instantText(Date.parse(fault.since))}
        {fault.follows === undefined ? '' : ` · ${messages.follows} ${fault.follows}`}
      </Text>
      {fault.meaning !== undefined && (
        <Text size="sm" mb="xs">
          {messages.meaning}: {fault.meaning}
        </Text>
      )}
      <Lines title={messages.evidence} lines={fault.evidence} />
      <Lines title={fault.repairable ? messages.repair : messages.byHand} lines={fault.plan} />
      {fault.repairable && (
        <Text size="xs" className="muted">
          {messages.repairCommand}
        </Text>
      )}
    </div>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly string[] | undefined }) {
  if (lines === undefined || lines.length === 0) return null
  return (
    <div style={{ marginBottom: 8 }}>
      <Text size="xs" className="muted" mb={2}>
        {title}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {lines.join('\n')}
      </Code>
    </div>
  )
}

function StatusBadge({ status }: Pick<HealthDocument, 'status'>) {
  return (
    <Badge color={statusColors[status]} variant="light" tt="none" style={{ flexShrink: 0 }}>
      {messages.statuses[status]}
    </Badge>
  )
}

function instantText(time_ms: number): string {
  return formatInstant(time_ms).slice(0, 19)
}
