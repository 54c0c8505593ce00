import { Group, Pill, UnstyledButton } from '@mantine/core'
import { Lock } from 'lucide-react'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { messages } from './messages.ts'
import { readChanged, type SavedNarrowing, writeChanged } from './model/saved-narrowing.ts'

/** The query and the filters that a dashboard was saved with; a click leaves one out for now, another takes it back. */
export function SavedPills({ narrowings }: { narrowings: readonly SavedNarrowing[] }) {
  const url = useUrlState()
  const changed = readChanged(url.get('changed'))
  if (narrowings.length === 0) return null
  return (
    <Group gap={6} component="section" aria-label={messages.savedWith}>
      {narrowings.map(({ id, label, enabled }) => {
        const isHeld = enabled !== changed.has(id)
        return (
          <Pill key={id} maw={420} {...(isHeld ? {} : { td: 'line-through', className: 'muted' })}>
            <UnstyledButton
              fz="inherit"
              c="inherit"
              className="truncate"
              aria-pressed={isHeld}
              title={messages.savedPill(label, isHeld)}
              onClick={() => url.set({ changed: writeChanged(changed, id) })}
            >
              <Lock size={10} aria-hidden style={{ marginRight: 4, verticalAlign: '-1px' }} />
              {label}
            </UnstyledButton>
          </Pill>
        )
      })}
    </Group>
  )
}
