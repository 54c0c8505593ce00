import { Anchor, Button, Group, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../../api/client.ts'
import { Page } from '../../../shell/page.tsx'
import { ErrorState, LoadingState } from '../../../shell/states.tsx'
import { formatInstant } from '../../../time/time-range.ts'
import { messages } from '../messages.ts'
import { policiesKey, type ShownPolicy, usePolicies } from './use-policies.ts'

const defaultPolicy = 'default'

/** The policies: what they collect, making one from another, and deleting one that no host has. */
export function PolicyList() {
  const policies = usePolicies()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => request(`api/agent-policies/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: policiesKey }),
  })
  const items = policies.data?.items ?? []
  const back = (
    <Anchor component={Link} href="/" size="sm">
      {messages.back}
    </Anchor>
  )
  return (
    <Page title={messages.policies} description={messages.policiesDescription} actions={back}>
      <div className="panel" style={{ padding: 16 }}>
        {policies.isPending && <LoadingState />}
        {policies.isError && <ErrorState error={policies.error} onRetry={() => void policies.refetch()} />}
        {policies.data && <NewPolicy items={items} />}
        {remove.error && (
          <Text size="sm" c="red" role="alert" mt="sm">
            {remove.error.message}
          </Text>
        )}
        {items.length > 0 && <PolicyTable items={items} onRemove={remove.mutate} />}
      </div>
    </Page>
  )
}

function NewPolicy({ items }: { items: readonly ShownPolicy[] }) {
  const [name, setName] = useState('')
  const [from, setFrom] = useState(defaultPolicy)
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: () => request('api/agent-policies', { method: 'POST', json: { name, copy_of: from } }),
    onSuccess: async () => {
      setName('')
      await client.invalidateQueries({ queryKey: policiesKey })
    },
  })
  return (
    <>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          label={messages.policyName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label={messages.copyOf}
          value={from}
          data={items.map((item) => ({ value: item.id, label: item.name }))}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <Button size="xs" disabled={name.trim() === ''} loading={make.isPending} onClick={() => make.mutate()}>
          {messages.makePolicy}
        </Button>
      </Group>
      {make.error && (
        <Text size="sm" c="red" role="alert" mt="sm">
          {make.error.message}
        </Text>
      )}
    </>
  )
}

const collected = (inputs: ShownPolicy['inputs']): string =>
  inputs.flatMap(({ type, enabled }) => (enabled === false ? [] : type)).join(', ')

function PolicyTable({ items, onRemove }: { items: readonly ShownPolicy[]; onRemove: (id: string) => void }) {
  return (
    <Table.ScrollContainer minWidth={600} type="native">
      <Table verticalSpacing="xs" mt="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.policy}</Table.Th>
            <Table.Th>{messages.revision}</Table.Th>
            <Table.Th>{messages.inputs}</Table.Th>
            <Table.Th>{messages.changed}</Table.Th>
            <Table.Th aria-label={messages.deletePolicy} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ id, name, revision, inputs, updated_at }) => (
            <Table.Tr key={id} data-testid="policy-row">
              <Table.Td fw={500}>
                <Anchor component={Link} href={`/policies/${encodeURIComponent(id)}`} size="sm" fw={500}>
                  {name}
                </Anchor>
                <Text size="xs" className="muted mono">
                  {id}
                </Text>
              </Table.Td>
              <Table.Td>{revision}</Table.Td>
              <Table.Td>{collected(inputs)}</Table.Td>
              <Table.Td>
                <Text size="xs" className="mono">
                  {formatInstant(Date.parse(updated_at)).slice(0, 19)}
                </Text>
              </Table.Td>
              <Table.Td>
                {id !== defaultPolicy && (
                  <Button
                    size="compact-xs"
                    color="red"
                    variant="subtle"
                    aria-label={messages.deleteNamed(name)}
                    onClick={() => window.confirm(messages.deleteNamed(name)) && onRemove(id)}
                  >
                    {messages.deletePolicy}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
