import { Loader, Table, Text } from '@mantine/core'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { useTrial } from './use-rules.ts'

/** A test run, while the alerter is at it and when it is done. */
export function TrialResult({ id }: { id: string }) {
  const found = useTrial(id)
  const trial = found.data
  if (found.error || trial?.state === 'failed')
    return (
      <Text size="sm" c="red" role="alert">
        {found.error?.message ?? trial?.error}
      </Text>
    )
  if (!trial?.answer)
    return (
      <Text size="sm" role="status">
        <Loader size="xs" mr="xs" /> {messages.running}
      </Text>
    )
  const { answer } = trial
  if ('problem' in answer) {
    const { line, column, message } = answer.problem
    return (
      <Text size="sm" c="red" role="alert">
        {messages.problemAt(line, column, message)}
      </Text>
    )
  }
  return (
    <div data-testid="trial-result">
      <Text size="sm" fw={600}>
        {messages.wouldRaise(answer.alerts, answer.events)}
      </Text>
      {answer.cutAt && <Text size="sm">{messages.cut(formatInstant(Date.parse(answer.cutAt)).slice(0, 19))}</Text>}
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {answer.shown.map(({ time, rule, what }) => (
            <Table.Tr key={`${time} ${rule} ${what}`}>
              <Table.Td w={190} className="mono" fz="xs">
                {formatInstant(Date.parse(time)).slice(0, 19)}
              </Table.Td>
              <Table.Td>{rule}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
