import { Anchor, Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Page as PageFrame } from '../../shell/page.tsx'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { messages } from './messages.ts'
import { TrialResult } from './trial-result.tsx'
import { type ListedRule, storedFolder, useAskTrial, useRuleText, useSaveRule } from './use-rules.ts'

const hourMs = 3_600_000
const spans = [
  { value: String(hourMs), label: messages.spans.hour },
  { value: String(24 * hourMs), label: messages.spans.day },
  { value: String(7 * 24 * hourMs), label: messages.spans.week },
  { value: String(30 * 24 * hourMs), label: messages.spans.month },
]
const namePattern = /^[A-Za-z0-9][\w.-]{0,99}$/
const example = `name: Repeated failed logins of one user
type: frequency
index: logs-*
num_events: 10
timeframe:
  minutes: 5
query_key: user.name
filter:
  - query_string:
      query: "event.category:authentication AND event.outcome:failure"
priority: 3
alert: debug
`

/** The editor of a rule, new or one that is there; a rule of the host's files is opened as a copy. */
export function RuleEditor({ rule }: { rule: ListedRule | undefined }) {
  const text = useRuleText(rule?.id)
  if (!rule) return <Editor name="" text={example} isNamed={false} />
  if (text.isPending) return <LoadingState />
  if (text.isError) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />
  const isStored = rule.file.startsWith(storedFolder)
  const name = isStored ? rule.file.slice(storedFolder.length) : nameOf(rule.file)
  return <Editor name={name} text={text.data ?? ''} isNamed={isStored} />
}

function Editor(given: { name: string; text: string; isNamed: boolean }) {
  const url = useUrlState()
  const [name, setName] = useState(given.name)
  const [text, setText] = useState(given.text)
  const [span, setSpan] = useState(String(24 * hourMs))
  const save = useSaveRule()
  const trial = useAskTrial()
  const canSave = namePattern.test(name) && text.trim() !== ''
  return (
    <PageFrame
      title={messages.editorTitle}
      description={
        <Anchor component="button" size="sm" onClick={() => url.set({ edit: undefined, new: undefined })}>
          {messages.back}
        </Anchor>
      }
      actions={
        <Button size="xs" disabled={!canSave} loading={save.isPending} onClick={() => save.mutate({ name, text })}>
          {messages.save}
        </Button>
      }
    >
      <Stack className="panel" p="md">
        <TextInput
          label={messages.fileName}
          description={messages.fileNameHint}
          disabled={given.isNamed}
          maw={420}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={messages.ruleText}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={16}
          maxRows={40}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
        {save.isSuccess && <Text size="sm">{messages.saved}</Text>}
        {save.error && (
          <Text size="sm" c="red" role="alert">
            {save.error.message}
          </Text>
        )}
        <Group gap="xs" align="flex-end">
          <Select
            size="xs"
            w={150}
            label={messages.testRun}
            data={spans}
            value={span}
            onChange={(next) => setSpan(next ?? span)}
            allowDeselect={false}
          />
          <Button
            size="xs"
            variant="light"
            disabled={text.trim() === ''}
            loading={trial.isPending}
            onClick={() => trial.mutate({ text, spanMs: Number(span) })}
          >
            {messages.run}
          </Button>
        </Group>
        {trial.error && (
          <Text size="sm" c="red" role="alert">
            {trial.error.message}
          </Text>
        )}
        {trial.data !== undefined && <TrialResult id={trial.data} key={trial.data} />}
      </Stack>
    </PageFrame>
  )
}

function nameOf(file: string): string {
  const base = file.split('/').at(-1) ?? ''
  return base.replace(/\.ya?ml$/u, '').replaceAll(/[^\w.-]/gu, '-')
}
