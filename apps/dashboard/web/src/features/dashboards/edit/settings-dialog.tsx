import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../../shell/dialog.tsx'
import type { TimeRange } from '../../../time/time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { DashboardSettings } from './draft.ts'
import { messages } from './messages.ts'

/** Title, description, query, range and filters of a dashboard. */
export function SettingsDialog({
  settings,
  range,
  filters,
  onApply,
  onClose,
}: {
  settings: DashboardSettings
  /** The range the page shows now. */
  range: TimeRange
  /** The filters the page shows now. */
  filters: readonly FieldFilter[]
  onApply: (settings: DashboardSettings, filters: readonly FieldFilter[]) => void
  onClose: () => void
}) {
  const [form, setForm] = useState(settings)
  const [keepsFilters, setKeepsFilters] = useState(false)
  const change = (patch: Partial<DashboardSettings>): void => setForm((before) => ({ ...before, ...patch }))
  return (
    <Dialog onClose={onClose} title={messages.settings}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onApply(form, keepsFilters ? filters : [])
        }}
      >
        <Stack>
          <TextInput
            label={messages.name}
            required
            value={form.title}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <Textarea
            label={messages.about}
            autosize
            value={form.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <TextInput
            label={messages.query}
            value={form.query}
            onChange={(event) => change({ query: event.currentTarget.value })}
          />
          <Checkbox
            label={`${messages.keepRange} (${range.from} → ${range.to})`}
            checked={form.range !== undefined}
            onChange={(event) => change({ range: event.currentTarget.checked ? range : undefined })}
          />
          {filters.length > 0 && (
            <Checkbox
              label={messages.keepFilters}
              checked={keepsFilters}
              onChange={(event) => setKeepsFilters(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button type="submit">{messages.apply}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
