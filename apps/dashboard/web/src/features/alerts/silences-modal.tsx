import { Button, Modal, Table, Text } from '@mantine/core'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { type Silence, useEndSilence } from './use-alerts.ts'

/** The silences that hold now, and the way to end one. */
export function SilencesModal(props: { isShown: boolean; silences: readonly Silence[]; onClose: () => void }) {
  const end = useEndSilence()
  return (
    <Modal opened={props.isShown} onClose={props.onClose} title={messages.silences} size="lg">
      {props.silences.length === 0 && (
        <Text size="sm" className="muted">
          {messages.noSilences}
        </Text>
      )}
      <Table verticalSpacing="xs">
        <Table.Tbody>
          {props.silences.map((silence) => (
            <Table.Tr key={silence.id} data-testid="silence-row">
              <Table.Td>
                <Text size="sm" fw={500}>
                  {silence.rule ?? messages.everyRule}
                  {silence.key === undefined ? '' : ` · ${silence.key}`}
                </Text>
                <Text size="xs" className="muted">
                  {messages.silenceUntil(formatInstant(Date.parse(silence.until)).slice(0, 19), silence.by)}
                </Text>
                {silence.reason && <Text size="xs">{silence.reason}</Text>}
              </Table.Td>
              <Table.Td w={110}>
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={end.isPending}
                  onClick={() => end.mutate(silence.id)}
                >
                  {messages.silenceEnd}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {end.error && (
        <Text size="xs" c="red" role="alert">
          {end.error.message}
        </Text>
      )}
    </Modal>
  )
}
