import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { appPath } from '../url-state/app-path.ts'
import { EmptyState } from './states.tsx'

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <EmptyState title="There is no such page">
      <Anchor component={Link} href={appPath('/app/discover')} size="sm">
        Go to Discover
      </Anchor>
    </EmptyState>
  )
}
