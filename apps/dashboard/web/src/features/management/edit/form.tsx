import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../../shell/dialog.tsx'
import type { StoredEntry } from '../stored-entry.ts'
import { messages } from './messages.ts'

/** What every form is given: what it changes, absent for something new. */
export interface FormProps {
  readonly entry: StoredEntry | undefined
  /** Names that are there, so that something new does not replace one of them. */
  readonly taken: ReadonlySet<string>
  readonly onClose: () => void
}

/** Stores something of search's; the lists are loaded anew after it. */
export function useSave<Saved>(save: () => Promise<Saved>, onSaved: (saved: Saved) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: ['stored'] })
      onSaved(saved)
    },
  })
}

/** A form in a dialog. Only its buttons close it, so that a wrong key loses nothing that was typed. */
export function FormDialog({
  title,
  size = 'lg',
  saving,
  canSave = true,
  onClose,
  children,
}: {
  title: string
  size?: string
  saving: { readonly error: Error | null; readonly isPending: boolean; mutate: () => void }
  canSave?: boolean
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog onClose={onClose} title={title} size={size} closeOnEscape={false} closeOnClickOutside={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canSave) saving.mutate()
        }}
      >
        <Stack>
          {children}
          <Problem error={saving.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {messages.cancel}
            </Button>
            <Button type="submit" disabled={!canSave} loading={saving.isPending}>
              {messages.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** What search, or the reading of a text, has to say against it. */
export function Problem({ error }: { error: Error | null | undefined }) {
  if (!error) return null
  return (
    <Alert color="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
      {error.message}
    </Alert>
  )
}
