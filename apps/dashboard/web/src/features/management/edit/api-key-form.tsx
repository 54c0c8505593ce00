import { Alert, Button, CopyButton, Group, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { jsonText, readJson } from '../../../editor/json-text.ts'
import { JsonEditor } from '../../../editor/lazy-json-editor.tsx'
import { FormDialog, type FormProps, Problem, useSave } from './form.tsx'
import { messages } from './messages.ts'

const editorHeightPx = 220
const example = jsonText({ reader: { cluster: [], indices: [{ names: ['logs-*'], privileges: ['read'] }] } })

interface MadeKey {
  readonly id: string
  readonly name: string
  readonly api_key: string
  readonly encoded: string
}

/** A new API key: its name, its end, and what it may do where that is less than its owner may; then the key, once. */
export function ApiKeyForm({ onClose }: FormProps) {
  const [name, setName] = useState('')
  const [expiration, setExpiration] = useState('')
  const [isRestricted, setRestricted] = useState(false)
  const [text, setText] = useState(example)
  const [made, setMade] = useState<MadeKey>()
  const read = readJson(text)
  const problem = isRestricted ? read.problem : undefined
  const saving = useSave(() => {
    const json = {
      name: name.trim(),
      ...(expiration.trim() === '' ? {} : { expiration: expiration.trim() }),
      ...(isRestricted && read.problem === undefined ? { role_descriptors: read.value } : {}),
    }
    return manage<MadeKey>('PUT', '_security/api_key', { json })
  }, setMade)
  if (made) return <KeyDialog made={made} onClose={onClose} />
  return (
    <FormDialog
      title={messages.createKey}
      saving={saving}
      canSave={name.trim() !== '' && problem === undefined}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <TextInput
          label={messages.name}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={messages.expires}
          description={messages.expiresHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={expiration}
          onChange={(event) => setExpiration(event.currentTarget.value)}
        />
      </Group>
      <Switch
        label={messages.restrict}
        checked={isRestricted}
        onChange={(event) => setRestricted(event.currentTarget.checked)}
      />
      {isRestricted && (
        <JsonEditor label={messages.descriptors} text={text} heightPx={editorHeightPx} onChange={setText} />
      )}
      <Problem error={problem === undefined ? undefined : new Error(problem)} />
    </FormDialog>
  )
}

function KeyDialog({ made, onClose }: { made: MadeKey; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.keyMade(made.name)}
      size="lg"
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="orange" icon={<TriangleAlert size={18} />}>
          {messages.keyOnce}
        </Alert>
        <Copied label={messages.keyId} text={made.id} />
        <Copied label={messages.key} text={made.api_key} />
        <Copied label={messages.encoded} text={made.encoded} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{messages.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <TextInput label={label} value={text} readOnly flex={1} classNames={{ input: 'mono' }} />
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" aria-label={messages.copy(label)} onClick={copy}>
            {copied ? <Check size={16} aria-label={messages.copied} /> : <Copy size={16} />}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
