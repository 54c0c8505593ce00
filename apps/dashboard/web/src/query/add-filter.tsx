import { ActionIcon, Tooltip } from '@mantine/core'
import { ListFilterPlus } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { FieldFilter } from '../url-state/field-filters.ts'
import type { FilterDialog as Dialog } from './filter-dialog.tsx'
import { messages } from './messages.ts'
import type { ValueSource } from './use-values.ts'

const Loaded = lazy(async () => ({ default: (await import('./filter-dialog.tsx')).FilterDialog }))

/** The dialog that asks for a filter, new or changed; loaded when it is first shown. */
export function FilterDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}

/** The button beside a query bar that asks for a new filter. */
export function AddFilter({ source, onAdd }: { source: ValueSource; onAdd: (filter: FieldFilter) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Tooltip label={messages.add}>
        <ActionIcon variant="default" size={36} aria-label={messages.add} onClick={() => setOpen(true)}>
          <ListFilterPlus size={16} />
        </ActionIcon>
      </Tooltip>
      {isOpen && <FilterDialog source={source} onApply={onAdd} onClose={() => setOpen(false)} />}
    </>
  )
}
