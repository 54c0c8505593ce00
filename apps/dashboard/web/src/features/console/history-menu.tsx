import { Button, Group, Menu, ScrollArea, Text } from '@mantine/core'
import { History, Trash } from 'lucide-react'
import { formatInstant } from '../../time/time-range.ts'
import { type SentRequest, textOf } from './history.ts'
import { messages } from './messages.ts'

/** The requests that were sent from this browser, the newest first; a choice goes back into the editor. */
export function HistoryMenu({
  history,
  onChoose,
  onClear,
}: {
  history: readonly SentRequest[]
  onChoose: (request: SentRequest) => void
  onClear: () => void
}) {
  return (
    <Menu position="bottom-end" width={420}>
      <Menu.Target>
        <Button variant="default" leftSection={<History size={14} />}>
          {messages.history}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {history.length === 0 && <Menu.Label>{messages.historyEmpty}</Menu.Label>}
        <ScrollArea.Autosize mah="60vh">
          {history.map((sent) => (
            <Menu.Item key={textOf(sent)} onClick={() => onChoose(sent)}>
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <Text size="sm" className="truncate" title={textOf(sent)}>
                  {`${sent.method} ${sent.path}`}
                </Text>
                <Text size="xs" className="muted console-when">
                  {formatInstant(sent.atMs)}
                </Text>
              </Group>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        {history.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Trash size={14} />} onClick={onClear}>
              {messages.clearHistory}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
