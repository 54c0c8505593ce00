import { Button, Group, Stack, Text } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { useState } from 'react'
import { messages } from './messages.ts'
import { resolveRange, type TimeRange } from './time-range.ts'

/** Chooses a range by its two ends, in the browser's time zone. */
export function AbsoluteRange({ current, onChoose }: { current: TimeRange; onChoose: (range: TimeRange) => void }) {
  const resolved = resolveRange(current, new Date())
  const [from, setFrom] = useState<string | null>(localText(resolved.fromMs))
  const [to, setTo] = useState<string | null>(localText(resolved.toMs))
  const props = { withSeconds: true, valueFormat: 'YYYY-MM-DD HH:mm:ss', popoverProps: { withinPortal: false } }
  const apply = (): void => {
    if (from && to) onChoose({ from: isoText(from), to: isoText(to) })
  }
  return (
    <Stack gap="sm">
      <DateTimePicker label={messages.from} value={from} onChange={setFrom} {...props} />
      <DateTimePicker label={messages.to} value={to} onChange={setTo} {...props} />
      <Group justify="space-between">
        <Text size="xs" className="muted">
          {Intl.DateTimeFormat().resolvedOptions().timeZone}
        </Text>
        <Button onClick={apply} disabled={!from || !to}>
          {messages.apply}
        </Button>
      </Group>
    </Stack>
  )
}

function localText(ms: number): string {
  const date = new Date(ms)
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

function isoText(local: string): string {
  return new Date(local.replace(' ', 'T')).toISOString()
}
