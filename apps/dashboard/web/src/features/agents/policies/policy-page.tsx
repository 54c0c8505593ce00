import { Anchor, Button, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { jsonText, readJson } from '../../../editor/json-text.ts'
import { JsonEditor } from '../../../editor/lazy-json-editor.tsx'
import { Page } from '../../../shell/page.tsx'
import { ErrorState, LoadingState } from '../../../shell/states.tsx'
import { useLeaveWarning } from '../../../shell/use-leave-warning.ts'
import { messages } from '../messages.ts'
import { AddFiles } from './add-files.tsx'
import { LinesInput } from './lines-input.tsx'
import { jsonOf, type PolicyDraft, readDraft, withFiles } from './policy-draft.ts'
import { PolicyInputForm } from './policy-input.tsx'
import { type ShownPolicy, usePolicy, useSavePolicy } from './use-policies.ts'

const editorHeightPx = 520

/** One policy: what its hosts collect, as a form and as JSON. */
export function PolicyPage({ id }: { id: string }) {
  const found = usePolicy(id)
  if (found.isPending) return <LoadingState />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return <PolicyEditor policy={found.data} />
}

const draftOf = ({ name, inputs, collect_paths }: ShownPolicy): PolicyDraft => ({
  name,
  inputs,
  collectPaths: collect_paths,
})

function PolicyEditor({ policy }: { policy: ShownPolicy }) {
  const [draft, setDraft] = useState(() => draftOf(policy))
  const [problem, setProblem] = useState<string>()
  const [view, setView] = useState<string | null>('form')
  const saving = useSavePolicy(policy)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(policy))
  useLeaveWarning(isChanged)
  const actions = (
    <>
      <Anchor component={Link} href="/policies" size="sm">
        {messages.allPolicies}
      </Anchor>
      <Button
        size="xs"
        disabled={!isChanged || problem !== undefined || draft.name.trim() === ''}
        loading={saving.isPending}
        // Agent-server may write the same in another order.
        onClick={() => saving.mutate(draft, { onSuccess: (saved) => setDraft(draftOf(saved)) })}
      >
        {messages.savePolicy}
      </Button>
    </>
  )
  return (
    <Page
      title={policy.name}
      description={messages.policyDescription(policy.revision, policy.shipped_version !== 0)}
      actions={actions}
    >
      <Outcome problem={problem ?? saving.error?.message} saved={isChanged ? undefined : saving.data?.revision} />
      <TextInput
        size="xs"
        maw={400}
        mb="sm"
        label={messages.policyName}
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
      />
      <Tabs
        value={view}
        keepMounted={false}
        // The form shows what the JSON says, so it must be whole first.
        onChange={(next) => problem === undefined && setView(next)}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="form">{messages.form}</Tabs.Tab>
          <Tabs.Tab value="json">{messages.json}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form">
          <DraftForm draft={draft} onChange={setDraft} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <DraftJson draft={draft} onChange={setDraft} onProblem={setProblem} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Outcome({ problem, saved }: { problem: string | undefined; saved: number | undefined }) {
  if (problem !== undefined)
    return (
      <Text size="sm" c="red" role="alert" mb="sm">
        {problem}
      </Text>
    )
  return saved === undefined ? null : (
    <Text size="sm" role="status" mb="sm">
      {messages.savedPolicy(saved)}
    </Text>
  )
}

interface Editing {
  readonly draft: PolicyDraft
  readonly onChange: (draft: PolicyDraft) => void
}

function DraftForm({ draft, onChange }: Editing) {
  return (
    <Stack gap="sm">
      {draft.inputs.map((input) => (
        <PolicyInputForm key={input.id} input={input} draft={draft} onChange={onChange} />
      ))}
      <AddFiles onAdd={(dataset, paths) => onChange(withFiles(draft, dataset, paths))} />
      {draft.collectPaths && (
        <div className="panel" style={{ padding: 12 }}>
          <LinesInput
            label={messages.collectPaths}
            lines={draft.collectPaths}
            onChange={(collectPaths) => onChange({ ...draft, collectPaths })}
          />
        </div>
      )}
    </Stack>
  )
}

function DraftJson({ draft, onChange, onProblem }: Editing & { onProblem: (problem: string | undefined) => void }) {
  // What the editor begins with: it owns its text from then on.
  const [text] = useState(() => jsonText(jsonOf(draft)))
  const read = (typed: string): void => {
    const json = readJson(typed)
    const next = 'value' in json ? readDraft(draft.name, json.value) : json
    if ('inputs' in next) onChange(next)
    onProblem('inputs' in next ? undefined : next.problem)
  }
  return <JsonEditor label={messages.json} text={text} heightPx={editorHeightPx} onChange={read} />
}
