import { Button, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/client.ts'
import { formatInstant } from '../../time/time-range.ts'
import type { AgentRow } from './agent-rows.ts'
import { messages } from './messages.ts'

/** What is known of a Wazuh agent, and how it is forgotten: it takes no orders from here. */
export function WazuhDrawer({ row, onClose }: { row: AgentRow; onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => request(`api/wazuh-agents/${encodeURIComponent(row.id)}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['agents'] })
      onClose()
    },
  })
  return (
    <Drawer opened onClose={onClose} title={row.host} position="right" size="lg">
      <Stack gap="md">
        <Text size="sm" className="muted">
          {messages.wazuhText}
        </Text>
        <Facts row={row} />
        <Group>
          <Button
            size="xs"
            color="red"
            variant="light"
            loading={remove.isPending}
            onClick={() => window.confirm(messages.removeSure(row.host)) && remove.mutate()}
          >
            {messages.remove}
          </Button>
        </Group>
        {remove.error && (
          <Text size="sm" c="red" role="alert">
            {remove.error.message}
          </Text>
        )}
      </Stack>
    </Drawer>
  )
}

function Facts({ row }: { row: AgentRow }) {
  const source = row.hit._source ?? {}
  const by = source['added_by'] === 'enrolment' ? messages.addedBy.enrolment : messages.addedBy.import
  const facts: readonly (readonly [string, string])[] = [
    [messages.wazuhId, row.id],
    [messages.state, messages.stateWord(row.state)],
    [messages.lastSeen, instantOf(row.seen)],
    [messages.address, row.address ?? '-'],
    [messages.source, String(source['ip'] ?? '-')],
    [messages.version, row.version ?? '-'],
    [messages.system, row.system ?? '-'],
    [messages.added, `${instantOf(String(source['added'] ?? ''))}, ${by}`],
  ]
  return (
    <Table verticalSpacing="xs">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name} data-testid="agent-fact">
            <Table.Th fw={500} w={130}>
              {name}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function instantOf(text: string | undefined): string {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? '-' : formatInstant(at).slice(0, 19)
}
