import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { jsonText, type ReadJson, readJson } from '../../../editor/json-text.ts'
import { JsonEditor } from '../../../editor/lazy-json-editor.tsx'
import { FormDialog, type FormProps, Problem, useSave } from './form.tsx'
import { messages } from './messages.ts'

interface NamedJsonProps extends FormProps {
  readonly title: string
  /** Of the editor. */
  readonly label: string
  readonly heightPx: number
  /** What the editor begins with. */
  readonly initial: unknown
  /** Where search keeps what has a name: `_ingest/pipeline`. */
  readonly path: string
  /** The body of the request for what was typed. */
  readonly bodyOf: (value: unknown) => unknown
  /** Shown below the editor, for what is typed now. */
  readonly children?: (read: ReadJson) => ReactNode
}

/** A thing that has a name and is edited as JSON. */
export function NamedJsonForm(props: NamedJsonProps) {
  const { entry, taken, onClose, title, label, heightPx, initial, path, bodyOf, children } = props
  const [name, setName] = useState(entry?.name ?? '')
  const [text, setText] = useState(() => jsonText(initial))
  const read = readJson(text)
  const isTaken = !entry && taken.has(name.trim())
  const saving = useSave(() => {
    if (!('value' in read)) throw new Error(read.problem)
    return manage('PUT', `${path}/${encodeURIComponent(name.trim())}`, { json: bodyOf(read.value) })
  }, onClose)
  return (
    <FormDialog
      title={title}
      size="xl"
      saving={saving}
      canSave={name.trim() !== '' && read.problem === undefined && !isTaken}
      onClose={onClose}
    >
      <TextInput
        label={messages.name}
        data-autofocus={entry ? undefined : true}
        disabled={entry !== undefined}
        value={name}
        error={isTaken ? messages.taken : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <JsonEditor label={label} text={text} heightPx={heightPx} onChange={setText} />
      <Problem error={read.problem === undefined ? undefined : new Error(read.problem)} />
      {children?.(read)}
    </FormDialog>
  )
}
