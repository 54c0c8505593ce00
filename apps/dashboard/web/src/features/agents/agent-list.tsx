import { agentIndices } from '@logstack/contracts'
import { Anchor, Badge, Button, Group, Select, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MonitorSmartphone, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Hit, search } from '../../api/search.ts'
import { FindInput } from '../../shell/find-input.tsx'
import { NothingInIndex } from '../../shell/nothing-in-index.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { AgentDrawer } from './agent-drawer.tsx'
import { type AgentRow, ownStates, useAgentRows } from './agent-rows.ts'
import { firstTrouble, type ShownUnit, troubledQuestion, unitsTold } from './agent-units.ts'
import { wazuhStates } from './agents-question.ts'
import { messages } from './messages.ts'
import { WazuhDrawer } from './wazuh-drawer.tsx'

const refreshMs = 10_000
const typingPauseMs = 300
const stateColors: Readonly<Record<string, string>> = {
  online: 'green',
  updating: 'blue',
  unhealthy: 'orange',
  offline: 'gray',
  active: 'green',
  disconnected: 'gray',
  never_connected: 'blue',
}
const statesToChoose = [
  { group: messages.kinds.logstack, items: [...ownStates] },
  { group: messages.kinds.wazuh, items: wazuhStates.map((value) => ({ value, label: messages.stateWord(value) })) },
]

/** The agents with their state: all of them, or those of a name or state. Search chooses, as there may be thousands. */
export function AgentList() {
  const [find, setFind] = useState('')
  const [state, setState] = useState<string | null>(null)
  const [wanted] = useDebouncedValue(find.trim(), typingPauseMs)
  const { rows, total, isPending, error, retry } = useAgentRows(wanted, state)
  const isChosen = wanted !== '' || state !== null
  const isEmpty = !isPending && error === null && rows.length === 0
  return (
    <Page title={messages.title} description={messages.description} actions={<Actions />}>
      {(rows.length > 0 || isChosen) && (
        <Group mb="sm" gap="xs">
          <FindInput label={messages.find} flex={1} miw={180} value={find} onFind={setFind} />
          <Select
            aria-label={messages.state}
            placeholder={messages.allStates}
            data={statesToChoose}
            value={state}
            onChange={setState}
            clearable
            w={180}
          />
        </Group>
      )}
      <div className="panel">
        {isPending && <LoadingState />}
        {error && <ErrorState error={error} onRetry={retry} />}
        {isEmpty && (isChosen ? <EmptyState title={messages.noneFits} /> : <NoAgents />)}
        {rows.length > 0 && <AgentTable rows={rows} />}
      </div>
      {rows.length > 0 && (
        <Text size="xs" className="muted" mt="xs" data-testid="agents-shown">
          {messages.shown(rows.length, total)}
        </Text>
      )}
    </Page>
  )
}

function NoAgents() {
  return (
    <NothingInIndex index={agentIndices.agents.name}>
      <EmptyState
        title={messages.emptyTitle}
        icon={<MonitorSmartphone size={32} strokeWidth={1.5} />}
        action={<AddButton />}
      >
        {messages.emptyText}
      </EmptyState>
    </NothingInIndex>
  )
}

function Actions() {
  return (
    <Group gap="xs">
      <Button component={Link} href="/policies" variant="default">
        {messages.policies}
      </Button>
      <AddButton />
    </Group>
  )
}

function AddButton() {
  return (
    <Button component={Link} href="/add" leftSection={<Plus size={15} />}>
      {messages.add}
    </Button>
  )
}

/** What the first unit of each listed agent says that is not well, by the agent's id. */
function useTroubles(hits: readonly Hit[]): ReadonlyMap<string, ShownUnit> {
  const question = troubledQuestion(hits)
  const asked = useQuery({
    queryKey: ['agents', 'troubles', question],
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    enabled: question !== undefined,
    queryFn: ({ signal }) => search(agentIndices.agents.name, question, signal),
  })
  const found = question === undefined ? [] : (asked.data?.hits.hits ?? [])
  return new Map(
    found.flatMap(({ _id, _source }) => {
      const unit = firstTrouble(unitsTold(_source))
      return unit ? [[_id, unit] as const] : []
    }),
  )
}

function AgentTable({ rows }: { rows: readonly AgentRow[] }) {
  const [open, setOpen] = useState<string>()
  const troubles = useTroubles(rows.filter(({ kind }) => kind === 'logstack').map(({ hit }) => hit))
  const opened = rows.find((row) => keyOf(row) === open)
  const close = (): void => setOpen(undefined)
  return (
    <Table.ScrollContainer minWidth={780} type="native">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.host}</Table.Th>
            <Table.Th>{messages.kind}</Table.Th>
            <Table.Th>{messages.state}</Table.Th>
            <Table.Th>{messages.system}</Table.Th>
            <Table.Th>{messages.policy}</Table.Th>
            <Table.Th>{messages.version}</Table.Th>
            <Table.Th>{messages.lastSeen}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <ShownRow key={keyOf(row)} row={row} trouble={troubles.get(row.id)} onOpen={() => setOpen(keyOf(row))} />
          ))}
        </Table.Tbody>
      </Table>
      {opened?.kind === 'logstack' && (
        <AgentDrawer id={opened.id} host={opened.host} policyId={opened.policy ?? ''} onClose={close} />
      )}
      {opened?.kind === 'wazuh' && <WazuhDrawer row={opened} onClose={close} />}
    </Table.ScrollContainer>
  )
}

function keyOf({ kind, id }: AgentRow): string {
  return `${kind} ${id}`
}

function ShownRow({ row, trouble, onOpen }: { row: AgentRow; trouble: ShownUnit | undefined; onOpen: () => void }) {
  const seen = Date.parse(row.seen ?? '')
  const isWazuh = row.kind === 'wazuh'
  return (
    <Table.Tr data-testid="agent-row">
      <Table.Td fw={500}>
        <Anchor
          component="button"
          size="sm"
          onClick={onOpen}
          aria-label={isWazuh ? messages.openWazuh(row.host) : messages.open(row.host)}
        >
          {row.host}
        </Anchor>
        {row.address && (
          <Text size="xs" className="muted mono">
            {row.address}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge variant="outline" color={isWazuh ? 'indigo' : 'gray'} tt="none">
          {messages.kinds[row.kind]}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={stateColors[row.state] ?? 'gray'}>
          {messages.stateWord(row.state)}
        </Badge>
        {trouble && !isWazuh && (
          <Text size="xs" className="muted" lineClamp={2} title={trouble.message} maw={320}>
            {trouble.id}: {trouble.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{row.system ?? '-'}</Table.Td>
      <Table.Td>{row.policy ?? '-'}</Table.Td>
      <Table.Td>{row.version ?? '-'}</Table.Td>
      <Table.Td>
        <Text size="xs" className="mono">
          {Number.isNaN(seen) ? '-' : formatInstant(seen).slice(0, 19)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
