import type { AlertRule } from '@logstack/contracts'
import { Badge, Switch, Table, Text, UnstyledButton } from '@mantine/core'
import { formatNumber } from '../../format/format.ts'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { type ListedRule, useSwitchRule } from './use-rules.ts'

/** The colour of a rule's state. */
export const stateColors: Readonly<Record<AlertRule['state'], string>> = {
  running: 'green',
  broken: 'red',
  disabled: 'gray',
  off: 'gray',
  gone: 'gray',
}

/** Rules with their switches, states, last runs and problems. */
export function RuleTable({ rules, onOpen }: { rules: readonly ListedRule[]; onOpen: (id: string) => void }) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={60}>{messages.on}</Table.Th>
            <Table.Th>{messages.name}</Table.Th>
            <Table.Th>{messages.type}</Table.Th>
            <Table.Th>{messages.severity}</Table.Th>
            <Table.Th w={125}>{messages.state}</Table.Th>
            <Table.Th w={180}>{messages.lastRun}</Table.Th>
            <Table.Th w={180}>{messages.lastMatch}</Table.Th>
            <Table.Th>{messages.alerts}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} onOpen={onOpen} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function RuleRow({ rule, onOpen }: { rule: ListedRule; onOpen: (id: string) => void }) {
  return (
    <Table.Tr data-testid="rule-row">
      <Table.Td>
        <RuleSwitch rule={rule} />
      </Table.Td>
      <Table.Td>
        <UnstyledButton onClick={() => onOpen(rule.id)} c="var(--mantine-color-anchor)" fw={500} fz="sm">
          {rule.name}
        </UnstyledButton>
        {rule.error && (
          <Text size="xs" c="red" lineClamp={3}>
            {rule.error.line === undefined ? '' : `${rule.error.line}:${rule.error.column}: `}
            {rule.error.message}
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

/** Switches a rule off and on; what its file switches off, or what cannot run, cannot be switched on here. */
export function RuleSwitch({ rule }: { rule: ListedRule }) {
  const change = useSwitchRule()
  const isOn = rule.switched_off !== true && rule.state !== 'disabled' && rule.state !== 'broken'
  const canSwitch = rule.state === 'running' || rule.state === 'off' || rule.switched_off === true
  return (
    <>
      <Switch
        size="xs"
        aria-label={`${messages.on}: ${rule.name}`}
        checked={isOn}
        disabled={!canSwitch || change.isPending}
        onChange={(event) => change.mutate({ id: rule.id, off: !event.currentTarget.checked })}
      />
      {change.error && (
        <Text size="xs" c="red" role="alert">
          {change.error.message}
        </Text>
      )}
    </>
  )
}

/** A time of a rule, in words when there is none. */
export function timeText(time: string | undefined): string {
  return time === undefined ? messages.never : formatInstant(Date.parse(time)).slice(0, 19)
}
