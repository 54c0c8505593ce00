import { Button, Tooltip } from '@mantine/core'
import type { UrlPatch } from '../../url-state/use-url-state.ts'

/** Beside the query: asks on in the other way. `name` is shown, `label` says what it does. */
export function LanguageSwitch({ name, label, onSwitch }: { name: string; label: string; onSwitch: () => void }) {
  return (
    <Tooltip label={label}>
      <Button variant="default" px="xs" aria-label={label} onClick={onSwitch}>
        {name}
      </Button>
    </Tooltip>
  )
}

/** The address of a search that begins with a query: columns, order and the saved search belonged to the one before. */
export function freshSearch(query: UrlPatch): UrlPatch {
  return { columns: undefined, sort: undefined, saved: undefined, ...query }
}
