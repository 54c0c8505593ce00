import { messageOf } from '@logstack/errors'
import { parseKql } from '@logstack/kql'
import { ActionIcon, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messages } from './messages.ts'

/** The KQL input of a page. What cannot be read is said under it and not sent. */
export function QueryBar({ query, onSubmit }: { query: string; onSubmit: (query: string) => void }) {
  const [text, setText] = useState(query)
  const [problem, setProblem] = useState<string>()
  useEffect(() => setText(query), [query])
  const submit = (next: string): void => {
    const found = problemOf(next)
    setProblem(found)
    if (found === undefined) onSubmit(next.trim())
  }
  return (
    <form
      style={{ flex: 1, minWidth: 200 }}
      onSubmit={(event) => {
        event.preventDefault()
        submit(text)
      }}
    >
      <TextInput
        aria-label={messages.label}
        placeholder={messages.placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text !== query && submit(text)}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        leftSection={<Search size={15} />}
        rightSectionWidth={text ? 74 : 48}
        rightSection={
          <Group gap={4} wrap="nowrap">
            {text && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={messages.clear}
                onClick={() => submit('')}
              >
                <X size={14} />
              </ActionIcon>
            )}
            <Tooltip label={messages.help} multiline w={300}>
              <Text size="xs" className="muted" fw={600}>
                KQL
              </Text>
            </Tooltip>
          </Group>
        }
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </form>
  )
}

function problemOf(text: string): string | undefined {
  try {
    parseKql(text)
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}
