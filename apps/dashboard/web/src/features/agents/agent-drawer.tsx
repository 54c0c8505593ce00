import { Anchor, Badge, Button, Drawer, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { AssignPolicy } from './policies/assign-policy.tsx'
import { UnitList } from './unit-list.tsx'

const refreshMs = 2_000
const colors: Readonly<Record<string, string>> = { done: 'green', failed: 'red', expired: 'gray', delivered: 'blue' }
const levels = ['debug', 'info', 'warn', 'error']

interface ShownAction {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly created_at: string
  readonly created_by: string
  readonly message?: string
  readonly result?: { readonly path?: string; readonly content_base64?: string; readonly failed?: readonly unknown[] }
}

interface Order {
  readonly type: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What one agent can be told to do, and what became of what it was told. */
export function AgentDrawer({
  id,
  host,
  policyId,
  onClose,
}: {
  id: string
  host: string
  policyId: string
  onClose: () => void
}) {
  const path = `api/agents/${encodeURIComponent(id)}`
  const client = useQueryClient()
  const told = useQuery({
    queryKey: ['agents', id, 'actions'],
    refetchInterval: refreshMs,
    queryFn: ({ signal }) => request<{ items: readonly ShownAction[] }>(`${path}/actions`, { signal }),
  })
  const order = useMutation({
    mutationFn: (action: Order) => request(`${path}/actions`, { method: 'POST', json: { action } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['agents', id, 'actions'] }),
  })
  const unenrol = useMutation({
    mutationFn: () => request(path, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['agents'] })
      onClose()
    },
  })
  const problem = order.error ?? unenrol.error
  return (
    <Drawer opened onClose={onClose} title={host} position="right" size="lg">
      <Stack gap="md">
        <UnitList id={id} />
        <AssignPolicy id={id} policyId={policyId} />
        <Orders order={order.mutate} isBusy={order.isPending} />
        <Group>
          <Button
            size="xs"
            color="red"
            variant="light"
            loading={unenrol.isPending}
            onClick={() => window.confirm(messages.unenrolSure(host)) && unenrol.mutate()}
          >
            {messages.unenrol}
          </Button>
        </Group>
        {problem && (
          <Text size="sm" c="red" role="alert">
            {problem.message}
          </Text>
        )}
        <Text size="sm" fw={600}>
          {messages.history}
        </Text>
        {told.isPending && <LoadingState />}
        {told.isError && <ErrorState error={told.error} onRetry={() => void told.refetch()} />}
        {told.data && <History items={told.data.items} />}
      </Stack>
    </Drawer>
  )
}

function Orders({ order, isBusy }: { order: (action: Order) => void; isBusy: boolean }) {
  const [path, setPath] = useState('/var/log/')
  const simple = [
    ['RESTART', messages.restart],
    ['UPGRADE', messages.upgrade],
    ['RUN_CHECK', messages.runCheck],
  ] as const
  return (
    <>
      <Group gap="xs" align="flex-end">
        {simple.map(([type, label]) => (
          <Button key={type} size="xs" variant="default" disabled={isBusy} onClick={() => order({ type })}>
            {label}
          </Button>
        ))}
        <NativeSelect
          size="xs"
          aria-label={messages.logLevel}
          value=""
          data={[{ value: '', label: messages.logLevel }, ...levels]}
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') order({ type: 'SETTINGS', data: { log_level: value } })
          }}
        />
      </Group>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          flex={1}
          label={messages.collect}
          description={messages.collectHint}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button
          size="xs"
          variant="default"
          disabled={isBusy || !path.startsWith('/')}
          onClick={() => order({ type: 'COLLECT_FILE', data: { path } })}
        >
          {messages.collectButton}
        </Button>
      </Group>
    </>
  )
}

function History({ items }: { items: readonly ShownAction[] }) {
  if (items.length === 0)
    return (
      <Text size="sm" className="muted">
        {messages.noHistory}
      </Text>
    )
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{messages.action}</Table.Th>
          <Table.Th>{messages.outcome}</Table.Th>
          <Table.Th>{messages.ordered}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.id} data-testid="agent-action">
            <Table.Td>{item.type}</Table.Td>
            <Table.Td>
              <Badge variant="light" color={colors[item.status] ?? 'gray'}>
                {item.status}
              </Badge>
              {item.message && (
                <Text size="xs" className="muted">
                  {item.message}
                </Text>
              )}
              <Found item={item} />
            </Table.Td>
            <Table.Td>
              <Text size="xs" className="mono">
                {formatInstant(Date.parse(item.created_at)).slice(0, 19)}
              </Text>
              <Text size="xs" className="muted">
                {messages.by(item.created_by)}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Found({ item: { result } }: { item: ShownAction }) {
  if (result?.content_base64 !== undefined) {
    const name = result.path?.split('/').at(-1) ?? 'file'
    return (
      <Anchor size="xs" href={`data:application/octet-stream;base64,${result.content_base64}`} download={name}>
        {messages.download}
      </Anchor>
    )
  }
  return result?.failed && result.failed.length > 0 ? (
    <Text size="xs">{messages.failedChecks(result.failed.length)}</Text>
  ) : null
}
