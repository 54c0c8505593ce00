import { agentIndices } from '@logstack/contracts'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { search } from '../../api/search.ts'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { type ShownUnit, unitsQuestion, unitsTold } from './agent-units.ts'
import { messages } from './messages.ts'

const refreshMs = 10_000
const colors: Readonly<Record<string, string>> = { HEALTHY: 'green', DEGRADED: 'orange', FAILED: 'red' }

/** What the inputs and outputs of one agent say of themselves, as it last told. */
export function UnitList({ id }: { id: string }) {
  const told = useQuery({
    queryKey: ['agents', id, 'units'],
    refetchInterval: refreshMs,
    queryFn: async ({ signal }) => {
      const answer = await search(agentIndices.agents.name, unitsQuestion(id), signal)
      return unitsTold(answer.hits.hits[0]?._source)
    },
  })
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {messages.units}
      </Text>
      {told.isPending && <LoadingState />}
      {told.isError && <ErrorState error={told.error} onRetry={() => void told.refetch()} />}
      {told.data?.units.length === 0 && (
        <Text size="sm" className="muted">
          {messages.noUnits}
        </Text>
      )}
      {told.data?.units.map((unit) => (
        <UnitLine key={`${unit.id} ${unit.message}`} unit={unit} />
      ))}
      {told.data && told.data.total > told.data.units.length && (
        <Text size="xs" className="muted">
          {messages.moreUnits(told.data.total - told.data.units.length)}
        </Text>
      )}
    </Stack>
  )
}

function UnitLine({ unit: { id, status, message } }: { unit: ShownUnit }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" data-testid="agent-unit">
      <Badge size="xs" variant="light" color={colors[status] ?? 'gray'} miw={84} mt={2} style={{ flexShrink: 0 }}>
        {status}
      </Badge>
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        <span className="mono">{id}</span> {message}
      </Text>
    </Group>
  )
}
