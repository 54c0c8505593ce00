import { Button, Combobox, Textarea, Tooltip } from '@mantine/core'
import { Play } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useCompletion } from '../../../query/use-completion.ts'
import { messages } from '../messages.ts'
import { EsqlSuggestions } from './esql-suggestions.tsx'

const linesMax = 14

interface Props {
  readonly esql: string
  readonly isWrong: boolean
  /** Patterns of indices to offer. */
  readonly patterns: readonly string[]
  readonly onRun: (esql: string) => void
}

/** The editor of a query, completed while it is written; Ctrl+Enter (on a Mac also ⌘+Enter) runs it, as its button does. Nothing runs while it is written. */
export function EsqlEditor({ esql, isWrong, patterns, onRun }: Props) {
  const { text, cursor, input, combobox, write, complete } = useCompletion<HTMLTextAreaElement>(esql)
  const run = (): void => {
    combobox.closeDropdown()
    onRun(text)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // An option that is pointed at is not taken by it.
    event.stopPropagation()
    run()
  }
  return (
    <form
      className="esql-editor"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <Combobox store={combobox} onOptionSubmit={complete}>
        <Combobox.Target>
          <Textarea
            ref={input}
            aria-label={messages.esql.label}
            placeholder={messages.esql.placeholder}
            value={text}
            onChange={({ currentTarget: { value, selectionStart } }) => write(value, selectionStart ?? value.length)}
            onKeyDownCapture={onKeyDown}
            onBlur={() => combobox.closeDropdown()}
            error={isWrong}
            autosize
            minRows={1}
            maxRows={linesMax}
            spellCheck={false}
            autoComplete="off"
            flex={1}
            // The library's red is too pale to be read.
            styles={{
              input: { fontFamily: 'var(--mantine-font-family-monospace)', color: 'var(--mantine-color-text)' },
            }}
          />
        </Combobox.Target>
        {combobox.dropdownOpened && <EsqlSuggestions text={text} cursor={cursor} patterns={patterns} />}
      </Combobox>
      <Tooltip label={messages.esql.runHint}>
        <Button type="submit" variant={text === esql ? 'default' : 'filled'} leftSection={<Play size={14} />}>
          {messages.esql.run}
        </Button>
      </Tooltip>
    </form>
  )
}
