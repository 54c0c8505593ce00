import { Alert, Badge, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import type { IndexPattern } from '../../api/index-patterns.ts'
import { useIndexPatterns } from '../../api/saved-objects.ts'
import { useSession } from '../../session/session-gate.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { messages } from './messages.ts'

/** The index patterns, which of them is the Default, and new ones. */
export function IndexPatterns() {
  const patterns = useIndexPatterns()
  const { canEdit } = useSession()
  const [creating, dialog] = useDisclosure(false)
  if (patterns.isPending) return <LoadingState />
  if (patterns.isError) return <ErrorState error={patterns.error} onRetry={() => void patterns.refetch()} />
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" className="muted">
          {canEdit ? messages.indexPatternsText : messages.readOnly}
        </Text>
        {canEdit && (
          <Button leftSection={<Plus size={15} />} onClick={dialog.open}>
            {messages.create}
          </Button>
        )}
      </Group>
      <div className="panel">
        {patterns.data.length === 0 ? (
          <EmptyState title={messages.noPatterns} />
        ) : (
          <PatternTable patterns={patterns.data} canEdit={canEdit} />
        )}
      </div>
      <Modal opened={creating} onClose={dialog.close} title={messages.create}>
        <CreateForm onDone={dialog.close} />
      </Modal>
    </>
  )
}

function PatternTable({ patterns, canEdit }: { patterns: readonly IndexPattern[]; canEdit: boolean }) {
  const client = useQueryClient()
  const makeDefault = useMutation({
    mutationFn: (id: string) =>
      request('api/data_views/default', { method: 'POST', json: { data_view_id: id, force: true } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['index-patterns'] }),
  })
  return (
    <Table.ScrollContainer minWidth={480} type="native">
      <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.pattern}</Table.Th>
            <Table.Th>{messages.timeField}</Table.Th>
            <Table.Th w={170} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {patterns.map((pattern) => (
            <Table.Tr key={pattern.id} data-testid="index-pattern">
              <Table.Td fw={500}>
                <Group gap="xs">
                  {pattern.name}
                  {pattern.isDefault && <Badge variant="light">{messages.defaultLabel}</Badge>}
                </Group>
              </Table.Td>
              <Table.Td className="muted">{pattern.timeField ?? '-'}</Table.Td>
              <Table.Td ta="right">
                {canEdit && !pattern.isDefault && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={makeDefault.isPending && makeDefault.variables === pattern.id}
                    onClick={() => makeDefault.mutate(pattern.id)}
                  >
                    {messages.makeDefault}
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

function CreateForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const [title, setTitle] = useState('')
  const [timeField, setTimeField] = useState('@timestamp')
  const create = useMutation({
    mutationFn: () => {
      const view = { id: title, title, name: title, ...(timeField ? { timeFieldName: timeField } : {}) }
      return request('api/data_views/data_view', { method: 'POST', json: { data_view: view } })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['index-patterns'] })
      onDone()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack>
        <TextInput
          label={messages.pattern}
          description={messages.patternHint}
          required
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value.trim())}
        />
        <TextInput
          label={messages.timeField}
          value={timeField}
          onChange={(event) => setTimeField(event.currentTarget.value.trim())}
        />
        {create.error && (
          <Alert color="red" role="alert">
            {create.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {messages.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
