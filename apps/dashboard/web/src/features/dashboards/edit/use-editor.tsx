import type { SavedObject } from '@logstack/contracts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { TimeRange } from '../../../time/time-range.ts'
import { useTimeSearch } from '../../../time/use-time-range.ts'
import type { DashboardContext } from '../model/panel.ts'
import { isHeading } from '../model/sections.ts'
import type { GridEditing } from '../panel-grid.tsx'
import { settingsOf, withCopy, withoutPanel, withoutSection, withSettings } from './draft.ts'
import { EditBar } from './edit-bar.tsx'
import { type EditDialog, editDialogOf } from './edit-dialog.ts'
import { FailureDialog } from './failure-dialog.tsx'
import { messages } from './messages.ts'
import { useArrange } from './use-arrange.ts'
import { type Draft, useSaveDashboard } from './use-draft.ts'

const EditDialogs = lazy(async () => ({ default: (await import('./edit-dialogs.tsx')).EditDialogs }))

interface EditorOptions {
  readonly saved: SavedObject
  readonly draft: Draft
  readonly canEdit: boolean
  readonly context: DashboardContext
  /** The range the page shows now. */
  readonly range: TimeRange
  readonly onFiltersKept: () => void
}

/** All there is to editing one dashboard: its buttons, what it adds to the grid, its dialogs. Nothing for who may only read. */
export function useEditor({ saved, draft, canEdit, context, range, onFiltersKept }: EditorOptions): {
  readonly bar: ReactNode
  readonly grid: GridEditing | undefined
  readonly dialogs: ReactNode
} {
  const [dialog, setDialog] = useState<EditDialog>()
  const arrange = useArrange(draft)
  const save = useSaveDashboard()
  const [, navigate] = useLocation()
  const timeSearch = useTimeSearch()
  const { object } = draft
  if (!canEdit) return { bar: null, grid: undefined, dialogs: null }
  const store = (what: SavedObject, isNew: boolean): void =>
    save.mutate(
      { object: what, isNew },
      {
        onSuccess: () => {
          draft.end()
          setDialog(undefined)
          if (isNew) navigate(`/${encodeURIComponent(what.id)}${timeSearch}`)
        },
      },
    )
  const saveAs = (title: string): void => {
    const copy = { ...(object ?? saved), id: crypto.randomUUID() }
    store(withSettings(copy, { ...settingsOf(copy), title }), true)
  }
  const bar = (
    <EditBar
      draft={draft}
      isSaving={save.isPending}
      onSave={() => object && store(object, false)}
      onDialog={setDialog}
    />
  )
  if (!object) return { bar, grid: undefined, dialogs: null }
  return {
    bar,
    grid: {
      layout: arrange.layout,
      editLabelOf: (panel) => editLabels[editDialogOf(panel)?.kind ?? ''],
      actions: {
        onPreview: arrange.onPreview,
        onDrop: arrange.onDrop,
        onStep: arrange.onStep,
        onEdit: (panel) => setDialog(editDialogOf(panel)),
        onRename: (panel) => setDialog({ kind: 'rename', panel }),
        onCopy: (id) => draft.change(withCopy(object, id, crypto.randomUUID())),
        onRemove: (id) => draft.change(isHeading(id) ? withoutSection(object, id) : withoutPanel(object, id)),
      },
    },
    dialogs: (
      <>
        {dialog && (
          <Suspense>
            <EditDialogs
              dialog={dialog}
              object={object}
              context={context}
              range={range}
              onChange={draft.change}
              onFiltersKept={onFiltersKept}
              onSaveAs={saveAs}
              onClose={() => setDialog(undefined)}
            />
          </Suspense>
        )}
        <FailureDialog title={messages.saveFailed} error={save.error} onClose={save.reset} />
      </>
    ),
  }
}

const editLabels: Readonly<Record<string, string>> = { chart: messages.editChart, text: messages.editText }
