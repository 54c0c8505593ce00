import { Alert, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../session/session-gate.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { FindInput } from '../../shell/find-input.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { useMay } from './edit/use-may.ts'
import { messages } from './messages.ts'
import { RetentionDialog } from './retention-dialog.tsx'
import type { StoredEntry } from './stored-entry.ts'
import type { StoredKind } from './stored-kinds.ts'

const shownMax = 500

/** What search keeps of one kind: find it, look at it whole, delete it. */
export function Stored({ kind }: { kind: StoredKind }) {
  const found = useQuery({ queryKey: ['stored', kind.path], queryFn: ({ signal }) => kind.load(signal) })
  const [find, setFind] = useState('')
  const [creating, dialog] = useDisclosure(false)
  const { canEdit } = useSession()
  const may = useMay(kind.edit?.privilege)
  const canChange = kind.edit ? may : canEdit
  if (found.isPending) return <LoadingState />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const taken = new Set(found.data.map(({ name }) => name))
  const wanted = find.trim().toLowerCase()
  const fitting = found.data
    .filter(({ name, cells }) => [name, ...cells].some((text) => text.toLowerCase().includes(wanted)))
    .sort((left, right) => left.name.localeCompare(right.name))
  return (
    <>
      <Group justify="space-between" align="flex-start" mb="sm">
        <Text size="sm" className="muted">
          {kind.text}
        </Text>
        {kind.edit && may && (
          <Button leftSection={<Plus size={15} />} onClick={dialog.open}>
            {kind.edit.create}
          </Button>
        )}
      </Group>
      {kind.edit && creating && <kind.edit.Form entry={undefined} taken={taken} onClose={dialog.close} />}
      <FindInput label={messages.find} mb="sm" placeholder={messages.findStored} value={find} onFind={setFind} />
      <div className="panel" style={{ overflowX: 'auto' }}>
        {fitting.length === 0 ? (
          <EmptyState title={messages.noneStored} />
        ) : (
          <EntryTable kind={kind} canChange={canChange} entries={fitting.slice(0, shownMax)} />
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

type DialogKind = 'show' | 'edit' | 'remove' | 'retention'
type OpenDialog = { readonly kind: DialogKind; readonly entry: StoredEntry }

function EntryTable({
  kind,
  canChange,
  entries,
}: {
  kind: StoredKind
  canChange: boolean
  entries: readonly StoredEntry[]
}) {
  const [dialog, setDialog] = useState<OpenDialog>()
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
                <EntryActions
                  kind={kind}
                  entry={entry}
                  canChange={canChange && entry.isFixed !== true}
                  onOpen={(next) => setDialog({ kind: next, entry })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {dialog && <EntryDialog kind={kind} dialog={dialog} onClose={close} />}
    </>
  )
}

function EntryActions({
  kind,
  entry,
  canChange,
  onOpen,
}: {
  kind: StoredKind
  entry: StoredEntry
  canChange: boolean
  onOpen: (dialog: DialogKind) => void
}) {
  const action = (dialog: DialogKind, text: string, label: string) => (
    <Button size="compact-xs" variant="default" aria-label={label} onClick={() => onOpen(dialog)}>
      {text}
    </Button>
  )
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {action('show', messages.json, messages.showStored(entry.name))}
      {canChange && kind.edit?.canChange && action('edit', messages.edit, messages.editStored(entry.name))}
      {canChange &&
        entry.retention !== undefined &&
        action('retention', messages.retention, messages.retentionOf(entry.name))}
      {canChange && kind.remove && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          aria-label={messages.removeStored(entry.name)}
          onClick={() => onOpen('remove')}
        >
          <Trash2 size={14} />
        </Button>
      )}
    </Group>
  )
}

function EntryDialog({ kind, dialog, onClose }: { kind: StoredKind; dialog: OpenDialog; onClose: () => void }) {
  const { entry } = dialog
  if (dialog.kind === 'edit')
    return kind.edit ? <kind.edit.Form entry={entry} taken={new Set()} onClose={onClose} /> : null
  if (dialog.kind === 'remove') return <RemoveDialog kind={kind} entry={entry} onClose={onClose} />
  if (dialog.kind === 'retention') return <RetentionDialog entry={entry} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={entry.name} size="xl">
      <Code block>{JSON.stringify(entry.body, null, 2)}</Code>
    </Dialog>
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
    <Dialog onClose={onClose} title={messages.removeStored(entry.name)}>
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
    </Dialog>
  )
}
