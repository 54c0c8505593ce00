import { ActionIcon, Group, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { FieldNames } from '../kibana/field-names.ts'
import { messages } from './messages.ts'

/** The order of the documents. */
export interface DocumentSort {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** What the head of the table can do; what is absent cannot be done. */
export interface HeadActions {
  readonly onToggleColumn?: ((name: string) => void) | undefined
  readonly sort?: DocumentSort | undefined
  /** Whether the documents can be sorted by a field. */
  readonly canSort?: ((name: string) => boolean) | undefined
  readonly onSort?: ((sort: DocumentSort) => void) | undefined
  /** The width of a column in pixels. */
  readonly onResize?: ((name: string, width: number) => void) | undefined
}

const narrowest = 60
const keyStep = 16

interface HeadProps extends HeadActions {
  readonly timeField: string | undefined
  readonly columns: readonly string[]
  readonly template: string
  /** What the index pattern calls fields. */
  readonly names?: FieldNames | undefined
}

/** The names of the columns: a click sorts, the edge is dragged (or moved by arrow keys), the cross takes a column away. */
export function DocumentHead({ timeField, columns, template, names, ...actions }: HeadProps) {
  return (
    <thead>
      <tr className="documents-head" style={{ gridTemplateColumns: template }}>
        <th aria-label={messages.expand} />
        {timeField && (
          <th {...sortedAs(timeField, actions)}>
            <Name name={timeField} label={messages.time} {...actions} />
          </th>
        )}
        {columns.length === 0 && <th>{messages.document}</th>}
        {columns.map((column) => (
          <th key={column} {...sortedAs(column, actions)}>
            <Group gap={4} wrap="nowrap" miw={0}>
              <Name name={column} label={names?.[column] ?? column} {...actions} />
              {actions.onToggleColumn && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="xs"
                  aria-label={`${messages.removeColumn}: ${column}`}
                  onClick={() => actions.onToggleColumn?.(column)}
                >
                  <X size={12} />
                </ActionIcon>
              )}
            </Group>
            {actions.onResize && <Edge column={column} onResize={actions.onResize} />}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function sortedAs(name: string, { sort }: HeadActions): { 'aria-sort'?: 'ascending' | 'descending' } {
  if (sort?.field !== name) return {}
  return { 'aria-sort': sort.direction === 'asc' ? 'ascending' : 'descending' }
}

function Name({ name, label, sort, canSort, onSort }: HeadActions & { name: string; label: string }) {
  const words = (
    <span className="truncate" title={name}>
      {label}
    </span>
  )
  if (!onSort || !canSort?.(name)) return words
  const isSorted = sort?.field === name
  const direction = isSorted && sort.direction === 'desc' ? 'asc' : 'desc'
  return (
    <UnstyledButton
      className="documents-sort"
      fz="inherit"
      fw={600}
      aria-label={messages.sortBy(label)}
      onClick={() => onSort({ field: name, direction })}
    >
      {words}
      {isSorted && (sort.direction === 'desc' ? <ArrowDown size={12} /> : <ArrowUp size={12} />)}
    </UnstyledButton>
  )
}

function Edge({ column, onResize }: { column: string; onResize: (name: string, width: number) => void }) {
  const resize = (cell: HTMLElement | null, by: number, from = cell?.offsetWidth ?? 0): void =>
    onResize(column, Math.max(narrowest, Math.round(from + by)))
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const { currentTarget: edge, pointerId, clientX } = event
    const cell = edge.parentElement
    const before = cell?.offsetWidth ?? 0
    event.preventDefault()
    edge.setPointerCapture(pointerId)
    const move = (now: globalThis.PointerEvent): void => resize(cell, now.clientX - clientX, before)
    const end = (): void => {
      edge.removeEventListener('pointermove', move)
      edge.removeEventListener('pointerup', end)
      edge.removeEventListener('pointercancel', end)
    }
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', end)
    edge.addEventListener('pointercancel', end)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    resize(event.currentTarget.parentElement, event.key === 'ArrowLeft' ? -keyStep : keyStep)
  }
  return (
    <button
      type="button"
      className="documents-edge"
      aria-label={messages.resize(column)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}
