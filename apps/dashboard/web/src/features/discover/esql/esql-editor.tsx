import { Button, Combobox, Textarea, Tooltip, useCombobox } from '@mantine/core'
import { Play } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Completion } from '../../../query/suggestions.tsx'
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
  const [text, setText] = useState(esql)
  const [cursor, setCursor] = useState(0)
  const input = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  useEffect(() => setText(esql), [esql])
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
  const write = (next: string, at: number): void => {
    setText(next)
    setCursor(at)
    combobox.resetSelectedOption()
    combobox.openDropdown()
  }
  const complete = ({ from, insert }: Completion): void => {
    const at = from + insert.length
    write(`${text.slice(0, from)}${insert}${text.slice(cursor)}`, at)
    // After the page has taken the text over.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at))
  }
  return (
    <form
      className="esql-editor"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <Combobox store={combobox} onOptionSubmit={(option) => complete(JSON.parse(option) as Completion)}>
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
