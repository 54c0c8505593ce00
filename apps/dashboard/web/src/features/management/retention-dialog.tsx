import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../shell/dialog.tsx'
import { messages } from './messages.ts'
import type { StoredEntry } from './stored-entry.ts'
import { setRetention } from './stored-kinds.ts'

/** Says how long a data stream keeps its documents. */
export function RetentionDialog({ entry, onClose }: { entry: StoredEntry; onClose: () => void }) {
  const [retention, setValue] = useState(entry.retention ?? '')
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: () => setRetention(entry.name, retention.trim()),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['stored'] })
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} title={messages.retentionOf(entry.name)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={messages.retention}
            description={messages.retentionHint}
            placeholder="30d"
            data-autofocus
            value={retention}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          {save.error && (
            <Alert color="red" role="alert">
              {save.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {messages.apply}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
