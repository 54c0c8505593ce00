import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { FormDialog, type FormProps, Problem, useSave } from './form.tsx'
import { jsonText, readJson } from './json-text.ts'
import { JsonEditor } from './lazy-json-editor.tsx'
import { messages } from './messages.ts'

const editorHeightPx = 380
const example = {
  phases: {
    hot: { actions: { rollover: { max_age: '1d', max_primary_shard_size: '50gb' } } },
    delete: { min_age: '30d', actions: { delete: {} } },
  },
}

/** A lifecycle policy: its phases as JSON. */
export function PolicyForm({ entry, taken, onClose }: FormProps) {
  const [name, setName] = useState(entry?.name ?? '')
  const [text, setText] = useState(() => {
    const { policy } = (entry?.body ?? { policy: example }) as { policy?: unknown }
    return jsonText(policy ?? {})
  })
  const read = readJson(text)
  const isTaken = !entry && taken.has(name.trim())
  const saving = useSave(() => {
    const path = `_ilm/policy/${encodeURIComponent(name.trim())}`
    return manage('PUT', path, { json: { policy: 'value' in read ? read.value : undefined } })
  }, onClose)
  return (
    <FormDialog
      title={entry ? messages.editPolicy(entry.name) : messages.createPolicy}
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
      <JsonEditor label={messages.policy} text={text} heightPx={editorHeightPx} onChange={setText} />
      <Problem error={read.problem === undefined ? undefined : new Error(read.problem)} />
    </FormDialog>
  )
}
