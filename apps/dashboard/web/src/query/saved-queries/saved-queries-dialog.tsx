import { ScrollArea, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../session/session-gate.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { FindInput } from '../../shell/find-input.tsx'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { messages } from './messages.ts'
import { SaveQueryForm } from './save-query-form.tsx'
import type { AskedQuery, SavedQuery } from './saved-query.ts'
import { SavedQueryRow } from './saved-query-row.tsx'
import { useSavedQueries } from './use-saved-queries.ts'

/** All saved queries; who may only read takes them over, others change them, too. */
export function SavedQueriesDialog({
  asked,
  onTake,
  onClose,
}: {
  asked: AskedQuery
  onTake: (saved: SavedQuery) => void
  onClose: () => void
}) {
  const { canEdit } = useSession()
  const found = useSavedQueries()
  const [find, setFind] = useState('')
  return (
    <Dialog onClose={onClose} title={messages.open} size="lg">
      {found.isPending ? (
        <LoadingState />
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Stack gap="md">
          <QueryList all={found.data} find={find} onFind={setFind} onTake={onTake} />
          {canEdit && <SaveQueryForm asked={asked} all={found.data} />}
        </Stack>
      )}
    </Dialog>
  )
}

function QueryList({
  all,
  find,
  onFind,
  onTake,
}: {
  all: readonly SavedQuery[]
  find: string
  onFind: (find: string) => void
  onTake: (saved: SavedQuery) => void
}) {
  const wanted = find.trim().toLowerCase()
  const shown = all.filter(({ title }) => title.toLowerCase().includes(wanted))
  return (
    <Stack gap="xs">
      {all.length > 0 && <FindInput label={messages.find} value={find} onFind={onFind} />}
      <ScrollArea.Autosize mah="40vh">
        {shown.map((saved) => (
          <SavedQueryRow key={saved.id} saved={saved} onTake={() => onTake(saved)} />
        ))}
      </ScrollArea.Autosize>
      {shown.length === 0 && (
        <Text size="sm" className="muted">
          {all.length === 0 ? messages.none : messages.noneFits}
        </Text>
      )}
    </Stack>
  )
}
