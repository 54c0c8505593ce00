import type { AlertDocument, AlertStatus } from '@logstack/contracts'
import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { useSetAlertStatus, useSilence } from './use-alerts.ts'

const minutesMax = 527_040

/** Acknowledge, close, open again. */
export function StatusButtons({ id, status }: { id: string; status: AlertStatus }) {
  const change = useSetAlertStatus()
  const set = (next: AlertStatus): void => change.mutate({ ids: [id], status: next })
  return (
    <Stack gap={4}>
      <Group gap="xs">
        {status === 'open' && (
          <Button size="xs" loading={change.isPending} onClick={() => set('acknowledged')}>
            {messages.acknowledge}
          </Button>
        )}
        {status !== 'closed' && (
          <Button size="xs" variant="default" loading={change.isPending} onClick={() => set('closed')}>
            {messages.close}
          </Button>
        )}
        {status !== 'open' && (
          <Button size="xs" variant="default" loading={change.isPending} onClick={() => set('open')}>
            {messages.reopen}
          </Button>
        )}
      </Group>
      {change.error && (
        <Text size="xs" c="red" role="alert">
          {change.error.message}
        </Text>
      )}
    </Stack>
  )
}

const spans = [
  { label: messages.silenceHour, minutes: 60 },
  { label: messages.silenceDay, minutes: 1440 },
  { label: messages.silenceWeek, minutes: 10_080 },
]

/** Keeps the channels of the alert's rule quiet for a while: for this alert's key only, or for all of the rule. */
export function SilenceButtons({ document }: { document: AlertDocument }) {
  const silence = useSilence()
  const [isForKey, setForKey] = useState(true)
  const [isOther, setOther] = useState(false)
  const [reason, setReason] = useState('')
  const [minutes, setMinutes] = useState<number | string>(30)
  const { key, key_field: field, silenced } = document.logstack.alert
  const start = (span: number): void =>
    silence.mutate({
      rule: document.rule.id,
      minutes: span,
      ...(key !== undefined && isForKey ? { key } : {}),
      ...(reason === '' ? {} : { reason }),
    })
  const isSpan = typeof minutes === 'number' && minutes >= 1 && minutes <= minutesMax
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text size="sm">{messages.silence}</Text>
        {spans.map((span) => (
          <Button
            key={span.minutes}
            size="compact-xs"
            variant="light"
            loading={silence.isPending}
            onClick={() => start(span.minutes)}
          >
            {span.label}
          </Button>
        ))}
        <Button size="compact-xs" variant="subtle" aria-expanded={isOther} onClick={() => setOther(!isOther)}>
          {messages.silenceOther}
        </Button>
      </Group>
      {key !== undefined && field !== undefined && (
        <Checkbox
          size="xs"
          label={messages.forKey(field, key)}
          checked={isForKey}
          onChange={(event) => setForKey(event.currentTarget.checked)}
        />
      )}
      {isOther && (
        <Group gap="xs" align="flex-end">
          <NumberInput
            size="xs"
            w={110}
            label={messages.silenceMinutes}
            min={1}
            max={minutesMax}
            allowDecimal={false}
            value={minutes}
            onChange={setMinutes}
          />
          <TextInput
            size="xs"
            label={messages.silenceReason}
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button size="xs" disabled={!isSpan} loading={silence.isPending} onClick={() => start(Number(minutes))}>
            {messages.silenceStart}
          </Button>
        </Group>
      )}
      {silence.isSuccess && <Text size="xs">{messages.silencedNow}</Text>}
      {silence.error && (
        <Text size="xs" c="red" role="alert">
          {silence.error.message}
        </Text>
      )}
      {silenced && (
        <Text size="xs" className="muted">
          {messages.silenced(silenced.by, formatInstant(Date.parse(silenced.until)).slice(0, 19))}
        </Text>
      )}
    </Stack>
  )
}
