import type { SavedObject } from '@logstack/contracts'
import { ActionIcon, Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Copy, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { request } from '../../../api/client.ts'
import { emptyDashboard, settingsOf, withSettings } from './draft.ts'
import { FailureDialog } from './failure-dialog.tsx'
import { messages } from './messages.ts'
import { TitleDialog } from './text-dialog.tsx'
import { useDeleteDashboard, useSaveDashboard } from './use-draft.ts'

/** Asks for a title, stores an empty dashboard and opens it for editing. */
export function CreateDashboard() {
  const [isAsking, setAsking] = useState(false)
  const [, navigate] = useLocation()
  const save = useSaveDashboard()
  const create = (title: string): void => {
    const object = emptyDashboard(crypto.randomUUID(), title)
    save.mutate({ object, isNew: true }, { onSuccess: () => navigate(`/${object.id}?edit=true`) })
  }
  return (
    <>
      <Button leftSection={<Plus size={15} />} loading={save.isPending} onClick={() => setAsking(true)}>
        {messages.create}
      </Button>
      {isAsking && (
        <TitleDialog
          label={messages.name}
          value=""
          isRequired
          action={messages.create}
          onDone={create}
          onClose={() => setAsking(false)}
        />
      )}
      <FailureDialog title={messages.saveFailed} error={save.error} onClose={save.reset} />
    </>
  )
}

/** Clones or deletes one dashboard of the list. */
export function DashboardActions({ id, title }: { id: string; title: string }) {
  const save = useSaveDashboard()
  const remove = useDeleteDashboard()
  const clone = useMutation({
    mutationFn: async () => {
      const object = await request<SavedObject>(`api/saved_objects/dashboard/${encodeURIComponent(id)}`)
      const copy = { ...object, id: crypto.randomUUID() }
      const settings = { ...settingsOf(copy), title: messages.copyOf(title) }
      return save.mutateAsync({ object: withSettings(copy, settings), isNew: true })
    },
  })
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={messages.clone(title)}
        loading={clone.isPending}
        onClick={() => clone.mutate()}
      >
        <Copy size={15} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={messages.remove(title)}
        onClick={() => {
          if (window.confirm(messages.removeQuestion(title))) remove.mutate(id)
        }}
      >
        <Trash2 size={15} />
      </ActionIcon>
      <FailureDialog title={messages.cloneFailed} error={clone.error} onClose={clone.reset} />
      <FailureDialog title={messages.removeFailed} error={remove.error} onClose={remove.reset} />
    </Group>
  )
}
