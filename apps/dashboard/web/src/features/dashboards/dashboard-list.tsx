import type { SavedObject } from '@logstack/contracts'
import { Anchor, Button, Group, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LayoutDashboard } from 'lucide-react'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { findSavedObjects } from '../../api/saved-objects.ts'
import { text } from '../../kibana/saved-json.ts'
import { useSession } from '../../session/session-gate.tsx'
import { FindInput } from '../../shell/find-input.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { useTimeSearch } from '../../time/use-time-range.ts'
import { appPath } from '../../url-state/app-path.ts'
import { CreateDashboard, DashboardActions } from './edit/list-actions.tsx'
import { messages } from './messages.ts'

/** Rows at once: a page of thousands, each with its menu, takes seconds to draw and to type on. */
const shownMax = 300

/** All dashboards, by name. */
export function DashboardList() {
  const [find, setFind] = useState('')
  const { canEdit } = useSession()
  const dashboards = useQuery({
    queryKey: ['saved-objects', 'dashboard'],
    queryFn: ({ signal }) => findSavedObjects(['dashboard'], { fields: ['title', 'description'], signal }),
  })
  // What is typed is there at once, the list follows.
  const wanted = useDeferredValue(find.trim().toLowerCase())
  const objects = dashboards.data?.saved_objects
  const rows = useMemo(() => (objects ?? []).map(rowOf), [objects])
  const fitting = useMemo(() => rows.filter(({ title }) => title.toLowerCase().includes(wanted)), [rows, wanted])
  const shown = useMemo(() => fitting.slice(0, shownMax), [fitting])
  if (dashboards.isPending) return <LoadingState />
  if (dashboards.isError) return <ErrorState error={dashboards.error} onRetry={() => void dashboards.refetch()} />
  return (
    <Page
      title={messages.title}
      description={messages.description}
      actions={
        <Group gap="xs">
          {rows.length > 0 && <FindInput label={messages.find} value={find} onFind={setFind} />}
          {canEdit && <CreateDashboard />}
        </Group>
      }
    >
      <div className="panel">{rows.length === 0 ? <NoDashboards /> : <Rows rows={shown} canEdit={canEdit} />}</div>
      {fitting.length > shownMax && (
        <Text size="xs" className="muted" mt="xs" data-testid="more-dashboards">
          {messages.more(fitting.length - shownMax)}
        </Text>
      )}
    </Page>
  )
}

interface DashboardRow {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly changed: string | undefined
}

function rowOf({ id, attributes, updated_at }: SavedObject): DashboardRow {
  const description = text(attributes['description']) ?? ''
  return { id, title: text(attributes['title']) ?? id, description, changed: updated_at }
}

const Rows = memo(function Rows({ rows, canEdit }: { rows: readonly DashboardRow[]; canEdit: boolean }) {
  const timeSearch = useTimeSearch()
  if (rows.length === 0) return <EmptyState title={messages.noneFits} />
  return (
    <Table.ScrollContainer minWidth={520} type="native">
      <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.name}</Table.Th>
            <Table.Th>{messages.about}</Table.Th>
            <Table.Th w={190}>{messages.changed}</Table.Th>
            {canEdit && <Table.Th w={90} />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <Anchor component={Link} href={`/${encodeURIComponent(row.id)}${timeSearch}`} fw={500} size="sm">
                  {row.title}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Text size="sm" className="muted">
                  {row.description}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm" className="muted">
                  {row.changed ? formatInstant(Date.parse(row.changed)).slice(0, 19) : ''}
                </Text>
              </Table.Td>
              {canEdit && (
                <Table.Td>
                  <DashboardActions id={row.id} title={row.title} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
})

function NoDashboards() {
  return (
    <EmptyState
      title={messages.emptyTitle}
      icon={<LayoutDashboard size={32} strokeWidth={1.5} />}
      action={
        <Button component={Link} href={appPath('/app/management/saved-objects')} variant="light" mt="xs">
          {messages.openManagement}
        </Button>
      }
    >
      {messages.emptyText}
    </EmptyState>
  )
}
