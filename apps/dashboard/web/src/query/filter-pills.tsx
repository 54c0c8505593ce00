import { Group, Menu, Pill, UnstyledButton } from '@mantine/core'
import { CircleSlash, Eye, EyeOff, Pencil, Pin, PinOff } from 'lucide-react'
import { useState } from 'react'
import type { FieldFilter } from '../url-state/field-filters.ts'
import { FilterDialog } from './add-filter.tsx'
import { describeFilter, toggled } from './filters.ts'
import { messages } from './messages.ts'
import type { ValueSource } from './use-values.ts'

/** Filters of the page, each with its value. A click on one offers to edit, exclude, disable or pin it; on its cross, to remove it. */
export function FilterPills({
  filters,
  source,
  onChange,
}: {
  filters: readonly FieldFilter[]
  source: ValueSource
  onChange: (filters: FieldFilter[]) => void
}) {
  const [edited, setEdited] = useState<FieldFilter>()
  if (filters.length === 0) return null
  const replace = (before: FieldFilter, after: FieldFilter): void =>
    onChange(filters.map((other) => (other === before ? after : other)))
  return (
    <Group gap={6}>
      {filters.map((filter) => (
        <Pill
          key={JSON.stringify(filter)}
          withRemoveButton
          removeButtonProps={reachable(`${messages.remove} ${describeFilter(filter)}`)}
          onRemove={() => onChange(filters.filter((other) => other !== filter))}
          {...(filter.negate ? { c: 'red' } : {})}
          {...(filter.disabled ? { td: 'line-through', className: 'muted' } : {})}
        >
          {/* What a control set is changed in the control. */}
          {filter.control === undefined ? (
            <PillMenu
              filter={filter}
              onEdit={() => setEdited(filter)}
              onToggle={(flag) => replace(filter, toggled(filter, flag))}
            />
          ) : (
            describeFilter(filter)
          )}
        </Pill>
      ))}
      {edited && (
        <FilterDialog
          filter={edited}
          source={source}
          onApply={(next) => replace(edited, next)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Group>
  )
}

function PillMenu({
  filter,
  onEdit,
  onToggle,
}: {
  filter: FieldFilter
  onEdit: () => void
  onToggle: (flag: 'negate' | 'disabled' | 'pinned') => void
}) {
  const { negate, disabled, pinned } = filter
  const state = [...(disabled ? [messages.disabled] : []), ...(pinned ? [messages.pinned] : [])]
  const text = [describeFilter(filter), ...state].join(', ')
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <UnstyledButton fz="inherit" c="inherit" aria-label={messages.options(text)}>
          {pinned && <Pin size={11} aria-hidden style={{ marginRight: 4, verticalAlign: '-1px' }} />}
          {describeFilter(filter)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={14} />} onClick={onEdit}>
          {messages.edit}
        </Menu.Item>
        <Menu.Item leftSection={<CircleSlash size={14} />} onClick={() => onToggle('negate')}>
          {negate ? messages.include : messages.negate}
        </Menu.Item>
        <Menu.Item
          leftSection={disabled ? <Eye size={14} /> : <EyeOff size={14} />}
          onClick={() => onToggle('disabled')}
        >
          {disabled ? messages.enable : messages.disable}
        </Menu.Item>
        <Menu.Item leftSection={pinned ? <PinOff size={14} /> : <Pin size={14} />} onClick={() => onToggle('pinned')}>
          {pinned ? messages.unpin : messages.pin}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The cross of a pill for keyboards and screen readers too: the library hides it from both. */
export function reachable(label: string): { 'aria-label': string; 'aria-hidden': false; tabIndex: 0 } {
  return { 'aria-label': label, 'aria-hidden': false, tabIndex: 0 }
}
