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
import { firstTrouble, type ShownUnit, troubledQuestion, unitsTold } from './agent-units.ts'
import { agentsQuestion } from './agents-question.ts'
import { messages } from './messages.ts'

const refreshMs = 10_000
const typingPauseMs = 300
const stateColors: Readonly<Record<string, string>> = {
  online: 'green',
  updating: 'blue',
  unhealthy: 'orange',
  offline: 'gray',
}

/** The enrolled agents with their state: all of them, or those of a name or state. Search chooses, as there may be thousands. */
export function AgentList() {
  const [find, setFind] = useState('')
  const [state, setState] = useState<string | null>(null)
  const [wanted] = useDebouncedValue(find.trim(), typingPauseMs)
  const agents = useQuery({
    queryKey: ['agents', wanted, state],
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => search(agentIndices.agents.name, agentsQuestion(wanted, state), signal),
  })
  const hits = agents.data?.hits.hits ?? []
  const total = agents.data?.hits.total?.value ?? hits.length
  const isChosen = wanted !== '' || state !== null
  return (
    <Page title={messages.title} description={messages.description} actions={<Actions />}>
      {(hits.length > 0 || isChosen) && (
        <Group mb="sm" gap="xs">
          <FindInput label={messages.find} flex={1} miw={180} value={find} onFind={setFind} />
          <Select
            aria-label={messages.state}
            placeholder={messages.allStates}
            data={Object.keys(stateColors)}
            value={state}
            onChange={setState}
            clearable
            w={170}
          />
        </Group>
      )}
      <div className="panel">
        {agents.isPending && <LoadingState />}
        {agents.isError && <ErrorState error={agents.error} onRetry={() => void agents.refetch()} />}
        {agents.data && hits.length === 0 && (isChosen ? <EmptyState title={messages.noneFits} /> : <NoAgents />)}
        {hits.length > 0 && <AgentTable hits={hits} />}
      </div>
      {hits.length > 0 && (
        <Text size="xs" className="muted" mt="xs" data-testid="agents-shown">
          {messages.shown(hits.length, total)}
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

function AgentTable({ hits }: { hits: readonly Hit[] }) {
  const [open, setOpen] = useState<string>()
  const troubles = useTroubles(hits)
  const opened = hits.find((hit) => hit._id === open)
  return (
    <Table.ScrollContainer minWidth={700} type="native">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.host}</Table.Th>
            <Table.Th>{messages.state}</Table.Th>
            <Table.Th>{messages.system}</Table.Th>
            <Table.Th>{messages.policy}</Table.Th>
            <Table.Th>{messages.version}</Table.Th>
            <Table.Th>{messages.lastSeen}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {hits.map((hit) => (
            <AgentRow key={hit._id} hit={hit} trouble={troubles.get(hit._id)} onOpen={() => setOpen(hit._id)} />
          ))}
        </Table.Tbody>
      </Table>
      {opened && (
        <AgentDrawer
          id={opened._id}
          host={String(opened._source?.['host_name'] ?? opened._id)}
          policyId={String(opened._source?.['policy_id'] ?? '')}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Table.ScrollContainer>
  )
}

function AgentRow({ hit, trouble, onOpen }: { hit: Hit; trouble: ShownUnit | undefined; onOpen: () => void }) {
  const read = (field: string): string => String(hit._source?.[field] ?? '-')
  const state = read('status')
  const seen = Date.parse(read('last_checkin'))
  return (
    <Table.Tr data-testid="agent-row">
      <Table.Td fw={500}>
        <Anchor component="button" size="sm" onClick={onOpen} aria-label={messages.open(read('host_name'))}>
          {read('host_name')}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={stateColors[state] ?? 'gray'}>
          {state}
        </Badge>
        {trouble && (
          <Text size="xs" className="muted" lineClamp={2} title={trouble.message} maw={320}>
            {trouble.id}: {trouble.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{read('os_name')}</Table.Td>
      <Table.Td>{read('policy_id')}</Table.Td>
      <Table.Td>{read('agent_version')}</Table.Td>
      <Table.Td>
        <Text size="xs" className="mono">
          {Number.isNaN(seen) ? '-' : formatInstant(seen).slice(0, 19)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
