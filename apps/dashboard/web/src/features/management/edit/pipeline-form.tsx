import { Button, Code, Fieldset, Group, Stack, Switch, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { jsonText, type ReadJson, readJson } from '../../../editor/json-text.ts'
import { JsonEditor } from '../../../editor/lazy-json-editor.tsx'
import { type FormProps, Problem } from './form.tsx'
import { messages } from './messages.ts'
import { NamedJsonForm } from './named-json-form.tsx'

const editorHeightPx = 300
const samplesHeightPx = 160
const example = { description: '', processors: [{ set: { field: 'labels.seen', value: 'yes' } }] }
const sampleDocuments = [{ _source: { '@timestamp': '2026-01-31T12:00:00Z', message: 'GET /index.html 200' } }]

/** An ingest pipeline as JSON, and what it makes of documents. */
export function PipelineForm(props: FormProps) {
  const { entry } = props
  return (
    <NamedJsonForm
      {...props}
      title={entry ? messages.editPipeline(entry.name) : messages.createPipeline}
      label={messages.pipeline}
      heightPx={editorHeightPx}
      initial={entry?.body ?? example}
      path="_ingest/pipeline"
      bodyOf={(pipeline) => pipeline}
    >
      {(read) => <PipelineTest pipeline={read} />}
    </NamedJsonForm>
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
