import { Alert, Button, Code, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Search, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../session/session-gate.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { messages } from './messages.ts'
import { RetentionDialog } from './retention-dialog.tsx'
import type { StoredEntry, StoredKind } from './stored-kinds.ts'

const shownMax = 500

/** What search keeps of one kind: find it, look at it whole, delete it. */
export function Stored({ kind }: { kind: StoredKind }) {
  const found = useQuery({ queryKey: ['stored', kind.path], queryFn: ({ signal }) => kind.load(signal) })
  const [find, setFind] = useState('')
  if (found.isPending) return <LoadingState />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const wanted = find.trim().toLowerCase()
  const fitting = found.data
    .filter(({ name, cells }) => [name, ...cells].some((text) => text.toLowerCase().includes(wanted)))
    .sort((left, right) => left.name.localeCompare(right.name))
  return (
    <>
      <Text size="sm" className="muted" mb="sm">
        {kind.text}
      </Text>
      <TextInput
        mb="sm"
        aria-label={messages.find}
        placeholder={messages.findStored}
        leftSection={<Search size={15} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      <div className="panel" style={{ overflowX: 'auto' }}>
        {fitting.length === 0 ? (
          <EmptyState title={messages.noneStored} />
        ) : (
          <EntryTable kind={kind} entries={fitting.slice(0, shownMax)} />
        )}
      </div>
      {fitting.length > shownMax && (
        <Text size="xs" className="muted" mt="xs">
          {messages.more(fitting.length - shownMax)}
        </Text>
      )}
    </>
  )
}

type Dialog = { readonly kind: 'show' | 'remove' | 'retention'; readonly entry: StoredEntry }

function EntryTable({ kind, entries }: { kind: StoredKind; entries: readonly StoredEntry[] }) {
  const { canEdit } = useSession()
  const [dialog, setDialog] = useState<Dialog>()
  const close = (): void => setDialog(undefined)
  return (
    <>
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.storedName}</Table.Th>
            {kind.columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
            <Table.Th aria-label={messages.actions} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.name} data-testid="stored-entry">
              <Table.Td fw={500} className="mono">
                {entry.name}
              </Table.Td>
              {kind.columns.map((column, at) => (
                <Table.Td key={column} style={{ overflowWrap: 'anywhere' }}>
                  {entry.cells[at]}
                </Table.Td>
              ))}
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={messages.showStored(entry.name)}
                    onClick={() => setDialog({ kind: 'show', entry })}
                  >
                    {messages.json}
                  </Button>
                  {canEdit && entry.retention !== undefined && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={messages.retentionOf(entry.name)}
                      onClick={() => setDialog({ kind: 'retention', entry })}
                    >
                      {messages.retention}
                    </Button>
                  )}
                  {canEdit && kind.remove && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      aria-label={messages.removeStored(entry.name)}
                      onClick={() => setDialog({ kind: 'remove', entry })}
                    >
                      <Trash2 size={14} />
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {dialog?.kind === 'show' && (
        <Modal opened onClose={close} title={dialog.entry.name} size="xl">
          <Code block>{JSON.stringify(dialog.entry.body, null, 2)}</Code>
        </Modal>
      )}
      {dialog?.kind === 'remove' && <RemoveDialog kind={kind} entry={dialog.entry} onClose={close} />}
      {dialog?.kind === 'retention' && <RetentionDialog entry={dialog.entry} onClose={close} />}
    </>
  )
}

function RemoveDialog({ kind, entry, onClose }: { kind: StoredKind; entry: StoredEntry; onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => kind.remove?.(entry.name),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['stored'] })
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={messages.removeStored(entry.name)}>
      <Stack>
        <Text size="sm">{messages.removeStoredText}</Text>
        {remove.error && (
          <Alert color="red" role="alert">
            {remove.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {messages.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
