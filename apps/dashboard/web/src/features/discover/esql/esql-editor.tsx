import { Button, Textarea, Tooltip } from '@mantine/core'
import { Play } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { messages } from '../messages.ts'

const linesMax = 14

/** The editor of a query; Ctrl+Enter (on a Mac also ⌘+Enter) runs it, as its button does. Nothing runs while it is written. */
export function EsqlEditor({
  esql,
  isWrong,
  onRun,
}: {
  esql: string
  isWrong: boolean
  onRun: (esql: string) => void
}) {
  const [text, setText] = useState(esql)
  useEffect(() => setText(esql), [esql])
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onRun(text)
  }
  return (
    <form
      className="esql-editor"
      onSubmit={(event) => {
        event.preventDefault()
        onRun(text)
      }}
    >
      <Textarea
        aria-label={messages.esql.label}
        placeholder={messages.esql.placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={isWrong}
        autosize
        minRows={1}
        maxRows={linesMax}
        spellCheck={false}
        autoComplete="off"
        flex={1}
        // The library's red is too pale to be read.
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', color: 'var(--mantine-color-text)' } }}
      />
      <Tooltip label={messages.esql.runHint}>
        <Button type="submit" variant={text === esql ? 'default' : 'filled'} leftSection={<Play size={14} />}>
          {messages.esql.run}
        </Button>
      </Tooltip>
    </form>
  )
}
