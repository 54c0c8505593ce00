import { ActionIcon, Button, Group, NavLink, Text, TextInput } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../session/session-gate.tsx'
import { ErrorState } from '../../shell/states.tsx'
import { describeFilter } from '../filters.ts'
import { messages } from './messages.ts'
import type { SavedQuery } from './saved-query.ts'
import { useDeleteQuery, useRenameQuery } from './use-saved-queries.ts'

/** One saved query: a click takes it over; who may edit renames and deletes it. */
export function SavedQueryRow({ saved, onTake }: { saved: SavedQuery; onTake: () => void }) {
  const { canEdit } = useSession()
  const [mode, setMode] = useState<'shown' | 'named' | 'deleted'>('shown')
  const back = (): void => setMode('shown')
  if (mode === 'named') return <NameForm saved={saved} onDone={back} />
  if (mode === 'deleted') return <DeleteQuestion saved={saved} onDone={back} />
  const told = [saved.query, ...saved.filters.map(describeFilter), saved.description].filter(Boolean).join(' · ')
  const untold = saved.untold > 0 ? messages.untold(saved.untold) : ''
  return (
    <Group gap={4} wrap="nowrap" data-testid="saved-query">
      <NavLink
        component="button"
        label={saved.title}
        description={[told, untold].filter(Boolean).join(' — ')}
        onClick={onTake}
      />
      {canEdit && (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={messages.rename(saved.title)}
            onClick={() => setMode('named')}
          >
            <Pencil size={14} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={messages.remove(saved.title)}
            onClick={() => setMode('deleted')}
          >
            <Trash2 size={14} />
          </ActionIcon>
        </>
      )}
    </Group>
  )
}

function NameForm({ saved, onDone }: { saved: SavedQuery; onDone: () => void }) {
  const [title, setTitle] = useState(saved.title)
  const rename = useRenameQuery()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        rename.mutate({ id: saved.id, title: title.trim() }, { onSuccess: onDone })
      }}
    >
      <Group gap="xs" p={4} wrap="nowrap">
        <TextInput
          flex={1}
          data-autofocus
          autoFocus
          aria-label={messages.newName(saved.title)}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={rename.isPending} disabled={title.trim() === ''}>
          {messages.keepName}
        </Button>
        <Button variant="default" size="xs" onClick={onDone}>
          {messages.cancel}
        </Button>
      </Group>
      {rename.isError && <ErrorState error={rename.error} title={messages.failed} />}
    </form>
  )
}

function DeleteQuestion({ saved, onDone }: { saved: SavedQuery; onDone: () => void }) {
  const remove = useDeleteQuery()
  return (
    <>
      <Group gap="xs" p={4} wrap="nowrap">
        <Text size="sm" flex={1}>
          {messages.confirm(saved.title)}
        </Text>
        <Button color="red" size="xs" autoFocus loading={remove.isPending} onClick={() => remove.mutate(saved.id)}>
          {messages.confirmYes}
        </Button>
        <Button variant="default" size="xs" onClick={onDone}>
          {messages.cancel}
        </Button>
      </Group>
      {remove.isError && <ErrorState error={remove.error} title={messages.failed} />}
    </>
  )
}
