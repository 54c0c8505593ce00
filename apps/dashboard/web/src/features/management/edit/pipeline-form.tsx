import { Button, Code, Fieldset, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { FormDialog, type FormProps, Problem, useSave } from './form.tsx'
import { jsonText, type ReadJson, readJson } from './json-text.ts'
import { JsonEditor } from './lazy-json-editor.tsx'
import { messages } from './messages.ts'

const editorHeightPx = 300
const samplesHeightPx = 160
const example = { description: '', processors: [{ set: { field: 'labels.seen', value: 'yes' } }] }
const sampleDocuments = [{ _source: { '@timestamp': '2026-01-31T12:00:00Z', message: 'GET /index.html 200' } }]

/** An ingest pipeline as JSON, and what it makes of documents. */
export function PipelineForm({ entry, taken, onClose }: FormProps) {
  const [name, setName] = useState(entry?.name ?? '')
  const [text, setText] = useState(() => jsonText(entry?.body ?? example))
  const read = readJson(text)
  const isTaken = !entry && taken.has(name.trim())
  const saving = useSave(
    () => manage('PUT', `_ingest/pipeline/${encodeURIComponent(name.trim())}`, { json: 'value' in read && read.value }),
    onClose,
  )
  return (
    <FormDialog
      title={entry ? messages.editPipeline(entry.name) : messages.createPipeline}
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
      <JsonEditor label={messages.pipeline} text={text} heightPx={editorHeightPx} onChange={setText} />
      <Problem error={read.problem === undefined ? undefined : new Error(read.problem)} />
      <PipelineTest pipeline={read} />
    </FormDialog>
  )
}

function PipelineTest({ pipeline }: { pipeline: ReadJson }) {
  const [text, setText] = useState(() => jsonText(sampleDocuments))
  const [isVerbose, setVerbose] = useState(false)
  const docs = readJson(text, true)
  const test = useMutation({
    mutationFn: (json: unknown) =>
      manage('POST', `_ingest/pipeline/_simulate${isVerbose ? '?verbose=true' : ''}`, { json }),
  })
  const run = (): void => {
    if ('value' in pipeline && 'value' in docs) test.mutate({ pipeline: pipeline.value, docs: docs.value })
  }
  const canRun = pipeline.problem === undefined && docs.problem === undefined
  return (
    <Fieldset legend={messages.testTitle}>
      <Stack gap="xs">
        <Text size="sm" className="muted">
          {messages.testText}
        </Text>
        <JsonEditor label={messages.samples} text={text} heightPx={samplesHeightPx} onChange={setText} />
        <Problem error={docs.problem === undefined ? undefined : new Error(docs.problem)} />
        <Group justify="space-between">
          <Switch
            label={messages.verbose}
            checked={isVerbose}
            onChange={(event) => setVerbose(event.currentTarget.checked)}
          />
          <Button
            size="xs"
            variant="light"
            leftSection={<Play size={14} />}
            disabled={!canRun}
            loading={test.isPending}
            onClick={run}
          >
            {messages.test}
          </Button>
        </Group>
        <Problem error={test.error} />
        {test.data !== undefined && (
          <Code block mah={300} tabIndex={0} aria-label={messages.result} role="region" style={{ overflow: 'auto' }}>
            {jsonText(test.data)}
          </Code>
        )}
      </Stack>
    </Fieldset>
  )
}
