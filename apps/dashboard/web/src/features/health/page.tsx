import { Badge, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PartHealth, PartsHealth } from '../../../../server/src/api-types.ts'
import { request } from '../../api/client.ts'
import { readSearch } from '../../api/search.ts'
import { formatNumber } from '../../format/format.ts'
import { Page as PageFrame } from '../../shell/page.tsx'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { Checks } from './checks.tsx'
import { Intake } from './intake.tsx'
import { messages } from './messages.ts'

const refreshMs = 10_000
const stateLooks = {
  up: { color: 'green', label: messages.up },
  down: { color: 'red', label: messages.down },
  unknown: { color: 'gray', label: messages.unknown },
} as const
const healthColors: Readonly<Record<string, string>> = { green: 'green', yellow: 'yellow', red: 'red' }

interface ClusterHealth {
  readonly status: string
  readonly active_shards: number
  readonly unassigned_shards: number
}

/** Which parts answer, what doctor saw, what came in and was not understood, and how search is. */
export function Page() {
  const parts = useQuery({
    queryKey: ['health', 'parts'],
    queryFn: ({ signal }) => request<PartsHealth>('api/parts', { signal }),
    refetchInterval: refreshMs,
  })
  return (
    <PageFrame title={messages.title} description={messages.description}>
      <Stack gap="lg">
        <section aria-label={messages.parts}>
          {parts.isPending && <LoadingState />}
          {parts.isError && <ErrorState error={parts.error} onRetry={() => void parts.refetch()} />}
          {parts.data && (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {parts.data.parts.map((part) => (
                <PartCard key={part.name} part={part} />
              ))}
            </SimpleGrid>
          )}
        </section>
        <Checks />
        <Intake />
        <Cluster />
      </Stack>
    </PageFrame>
  )
}

function PartCard({ part }: { part: PartHealth }) {
  const look = stateLooks[part.state]
  return (
    <div className="panel" style={{ padding: 14 }} data-testid="part">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text fw={600} size="sm" className="truncate" title={part.name}>
          {part.name}
        </Text>
        <Badge color={look.color} variant="light" tt="none" style={{ flexShrink: 0 }}>
          {look.label}
        </Badge>
      </Group>
      <Text size="xs" className="muted">
        {part.detail}
      </Text>
    </div>
  )
}

function Cluster() {
  const health = useQuery({
    queryKey: ['health', 'cluster'],
    queryFn: ({ signal }) => readSearch<ClusterHealth>('_cluster/health', signal),
    refetchInterval: refreshMs,
  })
  return (
    <section className="panel" style={{ padding: 16 }}>
      <Title order={2} mb="sm">
        {messages.cluster}
      </Title>
      {health.isPending && <LoadingState />}
      {health.isError && <ErrorState error={health.error} onRetry={() => void health.refetch()} />}
      {health.data && (
        <Stack gap="xs">
          <Group gap="xl">
            <Figure label={messages.status}>
              <Badge
                size="lg"
                variant="light"
                color={healthColors[health.data.status] ?? 'gray'}
                data-testid="cluster-status"
              >
                {health.data.status}
              </Badge>
            </Figure>
            <Figure label={messages.shards}>{formatNumber(health.data.active_shards)}</Figure>
            <Figure label={messages.unassigned}>{formatNumber(health.data.unassigned_shards)}</Figure>
          </Group>
          {health.data.unassigned_shards > 0 && (
            <Text size="sm" className="muted">
              {messages.replicaHint}
            </Text>
          )}
        </Stack>
      )}
    </section>
  )
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" className="muted" mb={2}>
        {label}
      </Text>
      <Text fw={600} size="lg" component="div">
        {children}
      </Text>
    </div>
  )
}
