import { Badge, Checkbox, Switch, Table, Text, TextInput } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../format/format.ts'
import { Page as PageFrame } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { hasProblem, type ListedRule, useRules, useSwitchRule } from './use-rules.ts'

const shownMax = 300
const stateColors: Readonly<Record<ListedRule['state'], string>> = {
  running: 'green',
  broken: 'red',
  disabled: 'gray',
  off: 'gray',
  gone: 'gray',
}

/** The list of rules, with a switch each. */
export function Page() {
  const found = useRules()
  const [wanted, setWanted] = useState('')
  const [onlyProblems, setOnlyProblems] = useState(false)
  const all = found.data ?? []
  const words = wanted.toLowerCase().split(' ').filter(Boolean)
  const fitting = all.filter((rule) => {
    const text = [rule.name, rule.file, rule.type, ...(rule.tags ?? [])].join(' ').toLowerCase()
    return words.every((word) => text.includes(word)) && (!onlyProblems || hasProblem(rule))
  })
  const shown = fitting.slice(0, shownMax)
  return (
    <PageFrame
      title={messages.title}
      description={
        found.data ? messages.count(shown.length, all.length, all.filter(hasProblem).length) : messages.description
      }
      actions={
        <>
          <Checkbox
            size="xs"
            label={messages.problems}
            checked={onlyProblems}
            onChange={(event) => setOnlyProblems(event.currentTarget.checked)}
          />
          <TextInput
            size="xs"
            aria-label={messages.search}
            placeholder={messages.search}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        </>
      }
    >
      <div className="panel">
        {found.isPending && <LoadingState />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && all.length === 0 && (
          <EmptyState title={messages.emptyTitle} icon={<ShieldAlert size={32} strokeWidth={1.5} />}>
            {messages.emptyText}
          </EmptyState>
        )}
        {shown.length > 0 && <RuleTable rules={shown} />}
      </div>
    </PageFrame>
  )
}

function RuleTable({ rules }: { rules: readonly ListedRule[] }) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={60}>{messages.on}</Table.Th>
            <Table.Th>{messages.name}</Table.Th>
            <Table.Th>{messages.type}</Table.Th>
            <Table.Th>{messages.severity}</Table.Th>
            <Table.Th>{messages.state}</Table.Th>
            <Table.Th w={180}>{messages.lastRun}</Table.Th>
            <Table.Th w={180}>{messages.lastMatch}</Table.Th>
            <Table.Th>{messages.alerts}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function RuleRow({ rule }: { rule: ListedRule }) {
  const change = useSwitchRule()
  const isOn = rule.switched_off !== true && rule.state !== 'disabled' && rule.state !== 'broken'
  const canSwitch = rule.state === 'running' || rule.state === 'off' || rule.switched_off === true
  return (
    <Table.Tr data-testid="rule-row">
      <Table.Td>
        <Switch
          size="xs"
          aria-label={`${messages.on}: ${rule.name}`}
          checked={isOn}
          disabled={!canSwitch || change.isPending}
          onChange={(event) => change.mutate({ id: rule.id, off: !event.currentTarget.checked })}
        />
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={500}>
          {rule.name}
        </Text>
        {rule.error && (
          <Text size="xs" c="red">
            {rule.error.line === undefined ? '' : `${rule.error.line}:${rule.error.column}: `}
            {rule.error.message}
          </Text>
        )}
        {change.error && (
          <Text size="xs" c="red" role="alert">
            {change.error.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{rule.type}</Table.Td>
      <Table.Td>{rule.severity ?? '-'}</Table.Td>
      <Table.Td>
        <Badge variant="light" color={stateColors[rule.state]}>
          {rule.state}
        </Badge>
      </Table.Td>
      <Table.Td className="mono" fz="xs">
        {timeText(rule.last_run)}
      </Table.Td>
      <Table.Td className="mono" fz="xs">
        {timeText(rule.last_match)}
      </Table.Td>
      <Table.Td>{formatNumber(rule.matches ?? 0)}</Table.Td>
    </Table.Tr>
  )
}

function timeText(time: string | undefined): string {
  return time === undefined ? messages.never : formatInstant(Date.parse(time)).slice(0, 19)
}
