import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, Move, MoveDiagonal2 } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { GridPlace, PanelModel } from '../model/panel-model.ts'
import { messages } from './messages.ts'

/** What can be done with a panel while its dashboard is edited. */
export interface PanelActions {
  /** While it is dragged or moved by keys; nothing is changed before `onDrop`. */
  onPreview(id: string, place: GridPlace): void
  onDrop(): void
  /** Moves it by a key, as far as it takes to pass what is in its way. */
  onStep(id: string, step: readonly [columns: number, rows: number]): void
  onEdit: ((panel: PanelModel) => void) | undefined
  onRename(panel: PanelModel): void
  onCopy(id: string): void
  onRemove(id: string): void
}

type Change = (place: GridPlace, columns: number, rows: number) => GridPlace

const moved: Change = (place, columns, rows) => ({ ...place, x: place.x + columns, y: place.y + rows })
const resized: Change = (place, columns, rows) => ({ ...place, w: place.w + columns, h: place.h + rows })
const arrows: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Height of a row with the gap below it, in pixels. */
const rowPixels = 28

/** The menu of a section's heading: it is not moved, and what lies below it stays when it goes. */
export function HeadingMenu({ panel, actions }: { panel: PanelModel; actions: PanelActions }) {
  return (
    <div className="panel-edit-bar">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={messages.sectionMenu(panel.title)}>
            <Ellipsis size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => actions.onRename(panel)}>{messages.rename}</Menu.Item>
          <Menu.Item color="red" onClick={() => actions.onRemove(panel.id)}>
            {messages.ungroup}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** The handles and the menu of one panel. */
export function EditHandles({
  panel,
  place,
  actions,
  editLabel,
}: {
  panel: PanelModel
  place: GridPlace
  actions: PanelActions
  /** Absent where the panel has nothing to edit. */
  editLabel: string | undefined
}) {
  const title = panel.title || panel.kind
  const handle = (change: Change) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) =>
      drag(
        event,
        (columns, rows) => {
          actions.onPreview(panel.id, change(place, columns, rows))
        },
        actions.onDrop,
      ),
    onKeyDown: (event: KeyboardEvent) => {
      const step = arrows[event.key]
      if (!step) return
      event.preventDefault()
      if (change === moved) actions.onStep(panel.id, step)
      else {
        actions.onPreview(panel.id, change(place, ...step))
        actions.onDrop()
      }
    },
  })
  return (
    <>
      <div className="panel-edit-bar">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          className="panel-move"
          aria-label={messages.move(title)}
          {...handle(moved)}
        >
          <Move size={14} />
        </ActionIcon>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label={messages.panelMenu(title)}>
              <Ellipsis size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {editLabel !== undefined && <Menu.Item onClick={() => actions.onEdit?.(panel)}>{editLabel}</Menu.Item>}
            <Menu.Item onClick={() => actions.onRename(panel)}>{messages.rename}</Menu.Item>
            <Menu.Item onClick={() => actions.onCopy(panel.id)}>{messages.copy}</Menu.Item>
            <Menu.Item color="red" onClick={() => actions.onRemove(panel.id)}>
              {messages.take}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        className="panel-resize"
        aria-label={messages.resize(title)}
        {...handle(resized)}
      >
        <MoveDiagonal2 size={14} />
      </ActionIcon>
    </>
  )
}

/** Follows the pointer until it is let go and tells how far it is, in cells of the grid. */
function drag(
  event: PointerEvent<HTMLElement>,
  onMove: (columns: number, rows: number) => void,
  onEnd: () => void,
): void {
  const grid = event.currentTarget.closest<HTMLElement>('.dashboard-grid')
  if (!grid) return
  event.preventDefault()
  const { currentTarget: target, pointerId, clientX, clientY } = event
  const columnPixels = (grid.clientWidth - 16) / 48
  target.setPointerCapture(pointerId)
  const move = (now: globalThis.PointerEvent): void => {
    onMove(Math.round((now.clientX - clientX) / columnPixels), Math.round((now.clientY - clientY) / rowPixels))
  }
  const end = (): void => {
    target.removeEventListener('pointermove', move)
    target.removeEventListener('pointerup', end)
    target.removeEventListener('pointercancel', end)
    onEnd()
  }
  target.addEventListener('pointermove', move)
  target.addEventListener('pointerup', end)
  target.addEventListener('pointercancel', end)
}
