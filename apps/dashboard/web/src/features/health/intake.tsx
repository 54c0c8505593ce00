import { Alert, Table, Text, Title } from '@mantine/core'
import { formatNumber } from '../../format/format.ts'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { messages } from './messages.ts'
import { type InputLoss, type UnreadSource, useIntake } from './use-intake.ts'

/** What came in during the last hour and was not understood, by source, and what was lost on its way. */
export function Intake() {
  const intake = useIntake()
  const { unread = [], losses = [] } = intake.data ?? {}
  return (
    <section className="panel" style={{ padding: 16 }} aria-label={messages.intake} data-testid="intake">
      <Title order={2} mb="sm">
        {messages.intake}
      </Title>
      {intake.isPending && <LoadingState />}
      {intake.isError && <ErrorState error={intake.error} onRetry={() => void intake.refetch()} />}
      {losses.map((loss) => (
        <Loss key={`${loss.input} ${loss.place}`} loss={loss} />
      ))}
      {intake.data && unread.length === 0 && <Text className="muted">{messages.allUnderstood}</Text>}
      {unread.length > 0 && <Unread sources={unread} />}
    </section>
  )
}

function Loss({ loss: { input, place, lost } }: { loss: InputLoss }) {
  return (
    <Alert color="red" mb="sm" data-testid="input-loss">
      {messages.lost(formatNumber(lost), input, messages.places[place] ?? place)}
    </Alert>
  )
}

function Unread({ sources }: { sources: readonly UnreadSource[] }) {
  return (
    <>
      <Text size="sm" className="muted" mb="xs">
        {messages.unreadHint}
      </Text>
      <Table.ScrollContainer minWidth={500} type="native">
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{messages.host}</Table.Th>
              <Table.Th>{messages.dataset}</Table.Th>
              <Table.Th ta="right">{messages.notUnderstood}</Table.Th>
              <Table.Th ta="right">{messages.ofEvents}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sources.map(({ host, dataset, events, unparsed }) => (
              <Table.Tr key={`${host} ${dataset}`} data-testid="unread-source">
                <Table.Td>{host}</Table.Td>
                <Table.Td>{dataset}</Table.Td>
                <Table.Td ta="right">{formatNumber(unparsed)}</Table.Td>
                <Table.Td ta="right">{formatNumber(events)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}
