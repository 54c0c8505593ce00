import { Anchor, Badge, Button, Code, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatNumber } from '../../format/format.ts'
import { appPath } from '../../url-state/app-path.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { messages } from './messages.ts'
import { RuleSwitch, stateColors, timeText } from './rule-table.tsx'
import { type ListedRule, storedFolder, useDeleteRule, useRuleText } from './use-rules.ts'

/** One rule in full: how it fares, its file, and what can be done with it. */
export function RuleDrawer({ rule, onClose }: { rule: ListedRule | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={rule !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={rule?.name ?? messages.name}
    >
      {rule && <Details rule={rule} onClose={onClose} key={rule.id} />}
    </Drawer>
  )
}

function Details({ rule, onClose }: { rule: ListedRule; onClose: () => void }) {
  const text = useRuleText(rule.id)
  return (
    <Stack>
      <Group gap="xs">
        <RuleSwitch rule={rule} />
        <Badge variant="light" color={stateColors[rule.state]}>
          {rule.state}
        </Badge>
        {rule.switched_off && rule.switched_by && (
          <Text size="xs" className="muted">
            {messages.switchedBy(rule.switched_by)}
          </Text>
        )}
      </Group>
      {rule.error && (
        <Text size="sm" c="red" role="alert">
          {rule.error.line === undefined
            ? rule.error.message
            : messages.problemAt(rule.error.line, rule.error.column ?? 1, rule.error.message)}
        </Text>
      )}
      {rule.description && <Text size="sm">{rule.description}</Text>}
      <Facts rule={rule} />
      <Buttons rule={rule} onClose={onClose} />
      {text.data && (
        <div>
          <Text fw={600} size="sm" mb={4}>
            {messages.text}
          </Text>
          <Code block fz="xs">
            {text.data}
          </Code>
        </div>
      )}
    </Stack>
  )
}

function Facts({ rule }: { rule: ListedRule }) {
  const rows: [string, string][] = [
    [messages.type, rule.type],
    [messages.severity, rule.severity ?? '-'],
    [messages.file, rule.file],
    ...(rule.index === undefined ? [] : [[messages.index, rule.index] as [string, string]]),
    ...(rule.tags && rule.tags.length > 0 ? [[messages.attack, rule.tags.join(', ')] as [string, string]] : []),
    [messages.lastRun, timeText(rule.last_run)],
    [messages.lastMatch, timeText(rule.last_match)],
    [messages.alerts, formatNumber(rule.matches ?? 0)],
  ]
  return (
    <Table withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={120}>{label}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Buttons({ rule, onClose }: { rule: ListedRule; onClose: () => void }) {
  const url = useUrlState()
  const remove = useDeleteRule()
  const [isSure, setSure] = useState(false)
  const isStored = rule.file.startsWith(storedFolder)
  const deleteNow = (): void => remove.mutate(rule.file.slice(storedFolder.length), { onSuccess: onClose })
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Button size="xs" variant="light" onClick={() => url.set({ edit: rule.id, rule: undefined })}>
          {isStored ? messages.edit : messages.copy}
        </Button>
        {isStored && (
          <Button
            size="xs"
            color="red"
            variant={isSure ? 'filled' : 'subtle'}
            loading={remove.isPending}
            onClick={() => (isSure ? deleteNow() : setSure(true))}
          >
            {isSure ? messages.removeSure : messages.remove}
          </Button>
        )}
        <Anchor
          component={Link}
          size="sm"
          href={appPath(`/app/alerts?${new URLSearchParams({ rule: rule.id, from: 'now-30d', to: 'now' })}`)}
        >
          {messages.showAlerts}
        </Anchor>
      </Group>
      {!isStored && (
        <Text size="xs" className="muted">
          {messages.copyHint}
        </Text>
      )}
      {remove.error && (
        <Text size="xs" c="red" role="alert">
          {remove.error.message}
        </Text>
      )}
    </Stack>
  )
}
