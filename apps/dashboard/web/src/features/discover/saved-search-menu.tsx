import type { SavedObject } from '@logstack/contracts'
import { Button, Checkbox, Group, Modal, NavLink, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderOpen, Save } from 'lucide-react'
import { useState } from 'react'
import { request } from '../../api/client.ts'
import { findSavedObjects } from '../../api/saved-objects.ts'
import { useSession } from '../../session/session-gate.tsx'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { messages } from './messages.ts'
import { type DiscoverState, savedSearchOf } from './saved-search.ts'

interface SavedSearchMenuProps {
  readonly state: DiscoverState
  /** The search that is open. */
  readonly saved: SavedObject | undefined
  readonly onOpen: (saved: SavedObject) => void
}

/** Opens and saves searches; who may only read sees the first alone. */
export function SavedSearchMenu({ state, saved, onOpen }: SavedSearchMenuProps) {
  const { canEdit } = useSession()
  const [dialog, setDialog] = useState<'open' | 'save'>()
  const close = (): void => setDialog(undefined)
  const take = (one: SavedObject): void => {
    close()
    onOpen(one)
  }
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<FolderOpen size={13} />}
        onClick={() => setDialog('open')}
      >
        {messages.open}
      </Button>
      {canEdit && (
        <Button size="compact-xs" variant="default" leftSection={<Save size={13} />} onClick={() => setDialog('save')}>
          {messages.save}
        </Button>
      )}
      <Modal opened={dialog === 'open'} onClose={close} title={messages.openTitle}>
        <OpenList onOpen={take} />
      </Modal>
      <Modal opened={dialog === 'save'} onClose={close} title={messages.saveTitle}>
        <SaveForm state={state} saved={saved} onSaved={take} />
      </Modal>
    </>
  )
}

function OpenList({ onOpen }: { onOpen: (saved: SavedObject) => void }) {
  const [find, setFind] = useState('')
  const found = useQuery({
    queryKey: ['saved-objects', 'search'],
    queryFn: ({ signal }) => findSavedObjects(['search'], { signal }),
  })
  if (found.isPending) return <LoadingState />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const wanted = find.trim().toLowerCase()
  const shown = found.data.saved_objects.filter((one) => titleOf(one).toLowerCase().includes(wanted))
  return (
    <Stack gap="xs">
      <TextInput
        aria-label={messages.findSaved}
        placeholder={messages.findSaved}
        value={find}
        data-autofocus
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah="50vh">
        {shown.map((one) => (
          <NavLink key={one.id} component="button" label={titleOf(one)} onClick={() => onOpen(one)} />
        ))}
      </ScrollArea.Autosize>
      {shown.length === 0 && (
        <Text size="sm" className="muted">
          {messages.noSaved}
        </Text>
      )}
    </Stack>
  )
}

function SaveForm({
  state,
  saved,
  onSaved,
}: Omit<SavedSearchMenuProps, 'onOpen'> & { onSaved: (saved: SavedObject) => void }) {
  const [title, setTitle] = useState(saved ? titleOf(saved) : '')
  const [isNew, setNew] = useState(saved === undefined)
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => {
      const id = isNew || !saved ? crypto.randomUUID() : saved.id
      const path = `api/saved_objects/search/${encodeURIComponent(id)}`
      const query = isNew ? {} : { overwrite: 'true' }
      return request<SavedObject>(path, { method: 'POST', query, json: savedSearchOf(state, title.trim(), saved) })
    },
    onSuccess: async (stored) => {
      await client.invalidateQueries({ queryKey: ['saved-objects'] })
      client.setQueryData(['saved-search', stored.id], stored)
      onSaved(stored)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack>
        <TextInput
          label={messages.saveName}
          required
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {saved && (
          <Checkbox
            label={messages.saveNew}
            checked={isNew}
            onChange={(event) => setNew(event.currentTarget.checked)}
          />
        )}
        {save.isError && <ErrorState error={save.error} title={messages.saveFailed} />}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={title.trim() === ''}>
            {messages.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function titleOf(saved: SavedObject): string {
  return String(saved.attributes['title'] ?? saved.id)
}
