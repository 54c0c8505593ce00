import { ActionIcon, Tooltip } from '@mantine/core'
import { Bookmark } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { TimeRange } from '../../time/time-range.ts'
import { writeFilters } from '../../url-state/field-filters.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { writeLanguage } from '../language.ts'
import { messages } from './messages.ts'
import type { AskedQuery, SavedQuery } from './saved-query.ts'

const Loaded = lazy(async () => ({ default: (await import('./saved-queries-dialog.tsx')).SavedQueriesDialog }))

/** The button beside a query bar that opens, saves, renames and deletes saved queries. */
export function SavedQueries({ asked, range }: { asked: Omit<AskedQuery, 'range'>; range: TimeRange }) {
  const [isOpen, setOpen] = useState(false)
  const { set } = useUrlState()
  const take = (saved: SavedQuery): void => {
    setOpen(false)
    // Pinned filters belong to no query.
    const pinned = asked.filters.filter((filter) => filter.pinned)
    set({
      query: saved.query,
      language: writeLanguage(saved.language),
      filters: writeFilters([...pinned, ...saved.filters]),
      ...saved.range,
    })
  }
  return (
    <>
      <Tooltip label={messages.open}>
        <ActionIcon variant="default" size={36} aria-label={messages.open} onClick={() => setOpen(true)}>
          <Bookmark size={16} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <Loaded asked={{ ...asked, range }} onTake={take} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
