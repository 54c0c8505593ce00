import { Button, Checkbox, Fieldset, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorState } from '../../shell/states.tsx'
import { messages } from './messages.ts'
import type { AskedQuery, SavedQuery } from './saved-query.ts'
import { useSaveQuery } from './use-saved-queries.ts'

/** Saves what the page asks for under a name; a name that is taken replaces what has it, and the button says so. */
export function SaveQueryForm({ asked, all }: { asked: AskedQuery; all: readonly SavedQuery[] }) {
  const [title, setTitle] = useState('')
  const [hasFilters, setFilters] = useState(true)
  const [hasRange, setRange] = useState(false)
  const save = useSaveQuery()
  const replaced = all.find((saved) => saved.title === title.trim())
  const kept = {
    ...asked,
    filters: hasFilters ? asked.filters : [],
    range: hasRange ? asked.range : undefined,
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ title: title.trim(), asked: kept, replaced }, { onSuccess: () => setTitle('') })
      }}
    >
      <Fieldset legend={messages.saveTitle}>
        <Stack gap="xs">
          <TextInput
            label={messages.name}
            required
            withAsterisk={false}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Group>
            <Checkbox
              label={messages.withFilters}
              checked={hasFilters}
              onChange={(event) => setFilters(event.currentTarget.checked)}
            />
            <Checkbox
              label={messages.withRange}
              checked={hasRange}
              onChange={(event) => setRange(event.currentTarget.checked)}
            />
            <Button ml="auto" type="submit" loading={save.isPending} disabled={title.trim() === ''}>
              {replaced ? messages.replace : messages.save}
            </Button>
          </Group>
          {save.isError && <ErrorState error={save.error} title={messages.failed} />}
        </Stack>
      </Fieldset>
    </form>
  )
}
