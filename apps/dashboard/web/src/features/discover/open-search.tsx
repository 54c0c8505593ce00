import type { SavedObject } from '@logstack/contracts'
import { Pill } from '@mantine/core'
import { reachable } from '../../query/filter-pills.tsx'
import { messages } from './messages.ts'
import type { SearchBase } from './use-discover.ts'

/** The saved search that is open, and what it asks for that no pill can say. */
export function OpenSearch({ saved, base, onClose }: { saved: SavedObject; base: SearchBase; onClose: () => void }) {
  const title = String(saved.attributes['title'] ?? saved.id)
  const isMore = base.queries.length + base.clauses.length > 0
  return (
    <Pill withRemoveButton onRemove={onClose} removeButtonProps={reachable(messages.closeSaved(title))}>
      {isMore ? messages.savedBase(title) : title}
    </Pill>
  )
}
