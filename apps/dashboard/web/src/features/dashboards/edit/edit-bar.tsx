import { Button, Group, Menu } from '@mantine/core'
import { Pencil, Plus, Save, Settings } from 'lucide-react'
import type { EditDialog } from './edit-dialog.ts'
import { messages } from './messages.ts'
import type { Draft } from './use-draft.ts'

/** The buttons of editing: one to begin, and while it goes on those to add, set, save and stop. */
export function EditBar({
  draft,
  isSaving,
  onSave,
  onDialog,
}: {
  draft: Draft
  isSaving: boolean
  onSave: () => void
  onDialog: (dialog: EditDialog) => void
}) {
  if (!draft.object) {
    return (
      <Button size="xs" variant="default" leftSection={<Pencil size={14} />} onClick={draft.start}>
        {messages.edit}
      </Button>
    )
  }
  const cancel = (): void => {
    if (!draft.isChanged || window.confirm(messages.discard)) draft.end()
  }
  return (
    <Group gap="xs" role="group" aria-label={messages.editing}>
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="light" leftSection={<Plus size={14} />}>
            {messages.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onDialog({ kind: 'chart' })}>{messages.addChart}</Menu.Item>
          <Menu.Item onClick={() => onDialog({ kind: 'text' })}>{messages.addText}</Menu.Item>
          <Menu.Item onClick={() => onDialog({ kind: 'library' })}>{messages.addFromLibrary}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        leftSection={<Settings size={14} />}
        onClick={() => onDialog({ kind: 'settings' })}
      >
        {messages.settings}
      </Button>
      <Button size="xs" variant="default" onClick={() => onDialog({ kind: 'save-as' })}>
        {messages.saveAs}
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={cancel}>
        {messages.cancel}
      </Button>
      <Button
        size="xs"
        leftSection={<Save size={14} />}
        disabled={!draft.isChanged}
        loading={isSaving}
        onClick={onSave}
      >
        {messages.save}
      </Button>
    </Group>
  )
}
