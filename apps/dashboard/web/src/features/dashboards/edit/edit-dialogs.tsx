import type { SavedObject } from '@logstack/contracts'
import type { TimeRange } from '../../../time/time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import { isHeading } from '../model/sections.ts'
import { ChartDialog } from './chart-dialog.tsx'
import {
  type NewPanel,
  settingsOf,
  withPanel,
  withPanelTitle,
  withReplaced,
  withSectionTitle,
  withSettings,
} from './draft.ts'
import type { EditDialog } from './edit-dialog.ts'
import { LibraryDialog } from './library-dialog.tsx'
import { messages } from './messages.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { TextDialog, TitleDialog } from './text-dialog.tsx'

interface EditDialogsProps {
  readonly dialog: EditDialog
  readonly object: SavedObject
  readonly context: DashboardContext
  readonly range: TimeRange
  readonly onChange: (object: SavedObject) => void
  /** Filters that became the dashboard's own. */
  readonly onFiltersKept: () => void
  readonly onSaveAs: (title: string) => void
  readonly onClose: () => void
}

/** The dialog that is open. */
export function EditDialogs(props: EditDialogsProps) {
  const { dialog, object, context, onClose } = props
  const change = (next: SavedObject): void => {
    props.onChange(next)
    onClose()
  }
  const put = (old: PanelModel | undefined) => (panel: NewPanel) =>
    change(old ? withReplaced(object, old.id, panel) : withPanel(object, panel, crypto.randomUUID()))
  switch (dialog.kind) {
    case 'chart':
      return <ChartDialog panel={dialog.panel} context={context} onDone={put(dialog.panel)} onClose={onClose} />
    case 'text':
      return <TextDialog panel={dialog.panel} onDone={put(dialog.panel)} onClose={onClose} />
    case 'library':
      return <LibraryDialog onDone={put(undefined)} onClose={onClose} />
    case 'rename': {
      const { id, title } = dialog.panel
      const heading = isHeading(id)
      const rename = (next: string): void =>
        change(heading ? withSectionTitle(object, id, next) : withPanelTitle(object, id, next))
      return (
        <TitleDialog
          label={heading ? messages.sectionTitle : messages.panelTitle}
          value={title}
          action={messages.apply}
          onDone={rename}
          onClose={onClose}
        />
      )
    }
    case 'save-as': {
      const title = messages.copyOf(settingsOf(object).title)
      return (
        <TitleDialog
          label={messages.saveAs}
          value={title}
          isRequired
          action={messages.save}
          onDone={props.onSaveAs}
          onClose={onClose}
        />
      )
    }
    case 'settings': {
      const apply = (settings: ReturnType<typeof settingsOf>, filters: readonly FieldFilter[]): void => {
        change(withSettings(object, settings, filters))
        if (filters.length > 0) props.onFiltersKept()
      }
      return (
        <SettingsDialog
          settings={settingsOf(object)}
          range={props.range}
          filters={context.pills}
          onApply={apply}
          onClose={onClose}
        />
      )
    }
  }
}
