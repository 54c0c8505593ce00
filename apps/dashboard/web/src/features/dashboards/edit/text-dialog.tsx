import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Json, jsonObject, text } from '../../../kibana/saved-json.ts'
import { Dialog } from '../../../shell/dialog.tsx'
import type { PanelModel } from '../model/panel-model.ts'
import type { NewPanel } from './draft.ts'
import { messages } from './messages.ts'

/** Asks for one line: a panel's or a dashboard's title. */
export function TitleDialog({
  label,
  value,
  isRequired = false,
  action,
  onDone,
  onClose,
}: {
  label: string
  value: string
  isRequired?: boolean
  action: string
  onDone: (title: string) => void
  onClose: () => void
}) {
  const [title, setTitle] = useState(value)
  return (
    <Dialog onClose={onClose} title={label}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onDone(title.trim())
        }}
      >
        <Stack>
          <TextInput
            aria-label={label}
            data-autofocus
            required={isRequired}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit">{action}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Writes the words of a text panel. */
export function TextDialog({
  panel,
  onDone,
  onClose,
}: {
  /** The panel that is edited; absent for a new one. */
  panel: PanelModel | undefined
  onDone: (panel: NewPanel) => void
  onClose: () => void
}) {
  const params = jsonObject(jsonObject(panel?.attributes['savedVis'])['params'])
  const [words, setWords] = useState(text(params['markdown']) ?? '')
  return (
    <Dialog onClose={onClose} title={panel ? messages.editText : messages.addText} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onDone(textPanel(words, params, panel?.title ?? ''))
        }}
      >
        <Stack>
          <Textarea
            label={messages.textLabel}
            data-autofocus
            autosize
            minRows={8}
            required
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit">{messages.done}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function textPanel(markdown: string, params: Json, title: string): NewPanel {
  const savedVis = {
    type: 'markdown',
    title: '',
    params: { fontSize: 12, openLinksInNewTab: false, ...params, markdown },
    uiState: {},
    data: { aggs: [], searchSource: { query: { query: '', language: 'kuery' }, filter: [] } },
  }
  const config = { savedVis, hidePanelTitles: title === '' }
  return { type: 'visualization', title, config, size: { w: 16, h: 8 }, references: [] }
}
