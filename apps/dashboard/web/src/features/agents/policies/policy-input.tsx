import type { PolicyInput, PolicyStream } from '@logstack/contracts'
import { Button, Collapse, Group, NumberInput, Stack, Switch, UnstyledButton } from '@mantine/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { messages } from '../messages.ts'
import { LinesInput } from './lines-input.tsx'
import { listOf, type PolicyDraft, withInput, withoutStream, withStream } from './policy-draft.ts'

interface Editing {
  readonly draft: PolicyDraft
  readonly onChange: (draft: PolicyDraft) => void
}

const isOn = ({ enabled }: { readonly enabled?: boolean | undefined }): boolean => enabled !== false

/** One input of a policy: whether it collects, and its streams. */
export function PolicyInputForm({ input, draft, onChange }: Editing & { input: PolicyInput }) {
  const [isOpen, setOpen] = useState(false)
  const name = input.name ?? input.type
  const [on, all] = [input.streams.filter(isOn).length, input.streams.length]
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="panel" style={{ padding: 12 }} data-testid={`input-${input.id}`}>
      <Group justify="space-between">
        <Switch
          label={name}
          checked={isOn(input)}
          onChange={(event) => onChange(withInput(draft, input.id, event.currentTarget.checked))}
        />
        <UnstyledButton
          aria-expanded={isOpen}
          aria-label={messages.showStreams(name)}
          onClick={() => setOpen((before) => !before)}
        >
          <Group gap={4} fz="xs" className="muted">
            {messages.streams(on, all)}
            <Chevron size={14} />
          </Group>
        </UnstyledButton>
      </Group>
      <Collapse expanded={isOpen}>
        <Stack mt="sm" gap="md">
          {input.streams.map((stream) => (
            <StreamForm key={stream.id} inputId={input.id} stream={stream} draft={draft} onChange={onChange} />
          ))}
        </Stack>
      </Collapse>
    </div>
  )
}

/** One stream: whether it collects, and what of it can be changed without JSON. */
function StreamForm({ inputId, stream, draft, onChange }: Editing & { inputId: string; stream: PolicyStream }) {
  const change = (values: Parameters<typeof withStream>[3]): void =>
    onChange(withStream(draft, inputId, stream.id, values))
  const paths = listOf(stream, 'paths')
  const { period_ms: period } = stream as { period_ms?: unknown }
  return (
    <Stack gap="xs" pl="md" data-testid={`stream-${stream.id}`}>
      <Group justify="space-between">
        <Switch
          size="xs"
          label={`${stream.data_stream.dataset} (${stream.id})`}
          checked={isOn(stream)}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <Button
          size="compact-xs"
          color="red"
          variant="subtle"
          aria-label={messages.removeStream(stream.id)}
          onClick={() => onChange(withoutStream(draft, inputId, stream.id))}
        >
          {messages.deletePolicy}
        </Button>
      </Group>
      {paths && (
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <LinesInput label={messages.paths} lines={paths} onChange={(lines) => change({ paths: lines })} />
          <LinesInput
            label={messages.exclude}
            lines={listOf(stream, 'exclude') ?? []}
            onChange={(lines) => change({ exclude: lines })}
          />
        </Group>
      )}
      {typeof period === 'number' && (
        <NumberInput
          size="xs"
          w={160}
          label={messages.periodSeconds}
          min={1}
          max={86_400}
          value={period / 1000}
          onChange={(value) => typeof value === 'number' && change({ period_ms: Math.round(value * 1000) })}
        />
      )}
    </Stack>
  )
}
