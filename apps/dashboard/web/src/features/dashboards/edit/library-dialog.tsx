import { Badge, NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findSavedObjects } from '../../../api/saved-objects.ts'
import { text } from '../../../kibana/saved-json.ts'
import { Dialog } from '../../../shell/dialog.tsx'
import { FindInput } from '../../../shell/find-input.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../shell/states.tsx'
import type { NewPanel } from './draft.ts'
import { messages } from './messages.ts'

const types = ['visualization', 'lens', 'search', 'links']
const shownMax = 200

/** Saved objects that can be panels, by title. */
export function LibraryDialog({ onDone, onClose }: { onDone: (panel: NewPanel) => void; onClose: () => void }) {
  const [find, setFind] = useState('')
  const objects = useQuery({
    queryKey: ['saved-objects', ...types],
    queryFn: ({ signal }) => findSavedObjects(types, { fields: ['title'], signal }),
  })
  const fitting = (objects.data?.saved_objects ?? [])
    .map(({ type, id, attributes }) => ({ type, id, title: text(attributes['title']) ?? id }))
    .filter(({ title }) => title.toLowerCase().includes(find.trim().toLowerCase()))
  const shown = fitting.slice(0, shownMax)
  return (
    <Dialog onClose={onClose} title={messages.addFromLibrary} size="lg">
      <Stack gap="xs">
        <FindInput label={messages.library} data-autofocus value={find} onFind={setFind} />
        {objects.isPending && <LoadingState />}
        {objects.isError && <ErrorState error={objects.error} onRetry={() => void objects.refetch()} />}
        {objects.isSuccess && shown.length === 0 && <EmptyState title={messages.libraryEmpty} />}
        <ScrollArea.Autosize mah={420}>
          {shown.map(({ type, id, title }) => (
            <NavLink
              key={`${type}:${id}`}
              component="button"
              type="button"
              label={title}
              rightSection={<Badge variant="light">{type}</Badge>}
              onClick={() => onDone({ type, config: {}, size: { w: 24, h: 15 }, object: { type, id }, references: [] })}
            />
          ))}
        </ScrollArea.Autosize>
        {fitting.length > shownMax && (
          <Text size="xs" className="muted">
            {messages.libraryMore(fitting.length - shownMax)}
          </Text>
        )}
      </Stack>
    </Dialog>
  )
}
