import { messageOf } from '@logstack/errors'
import { parseKql } from '@logstack/kql'
import { ActionIcon, Combobox, Group, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { Search, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { QueryLanguage } from './build-query.ts'
import { hintsOf, unreadableHint } from './hints.ts'
import { messages } from './messages.ts'
import { Suggestions } from './suggestions.tsx'
import { useCompletion } from './use-completion.ts'
import { useFields } from './use-fields.ts'
import type { ValueSource } from './use-values.ts'

/** The query of a page, and the language it is written in. */
export interface TypedQuery {
  readonly query: string
  readonly language: QueryLanguage
}

/** The query input of a page. KQL is completed while it is written; what cannot be read is said under it and not sent, and of what was sent, what in it finds nothing. */
export function QueryBar({
  query,
  language,
  source,
  onSubmit,
}: TypedQuery & { source: ValueSource; onSubmit: (next: TypedQuery) => void }) {
  const { text, cursor, input, combobox, write, complete } = useCompletion<HTMLInputElement>(query)
  const [problem, setProblem] = useState<string>()
  const { fields } = useFields(source.index)
  const hints = useMemo(() => hintsOf(query, language, fields), [query, language, fields])
  const submit = (next: string, nextLanguage = language): void => {
    combobox.closeDropdown()
    const found = nextLanguage === 'kuery' ? problemOf(next) : undefined
    setProblem(found)
    if (found === undefined) onSubmit({ query: next.trim(), language: nextLanguage })
  }
  const isOffering = combobox.dropdownOpened && language === 'kuery'
  return (
    <form
      style={{ flex: 1, minWidth: 180 }}
      onSubmit={(event) => {
        event.preventDefault()
        submit(text)
      }}
    >
      <Combobox store={combobox} onOptionSubmit={complete}>
        <Combobox.Target>
          <TextInput
            ref={input}
            aria-label={messages.label[language]}
            placeholder={messages.placeholder[language]}
            value={text}
            onChange={(event) =>
              write(event.currentTarget.value, event.currentTarget.selectionStart ?? event.currentTarget.value.length)
            }
            onBlur={() => {
              combobox.closeDropdown()
              if (text !== query) submit(text)
            }}
            error={problem}
            description={problem === undefined && hints.length > 0 ? hints.join(' ') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            spellCheck={false}
            autoComplete="off"
            leftSection={<Search size={15} />}
            rightSectionWidth={text ? 92 : 66}
            rightSection={
              <BarEnd
                language={language}
                onClear={text === '' ? undefined : () => submit('')}
                // What is written stays: it often means the same, and what cannot be read is said.
                onChange={(next) => submit(text, next)}
              />
            }
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        </Combobox.Target>
        {isOffering && <Suggestions text={text} cursor={cursor} source={source} />}
      </Combobox>
    </form>
  )
}

/** The end of the input: a cross to empty it, and the language. */
function BarEnd({
  language,
  onClear,
  onChange,
}: {
  language: QueryLanguage
  onClear: (() => void) | undefined
  onChange: (language: QueryLanguage) => void
}) {
  return (
    <Group gap={4} wrap="nowrap">
      {onClear && (
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={messages.clear} onClick={onClear}>
          <X size={14} />
        </ActionIcon>
      )}
      <Tooltip label={messages.help[language]} multiline w={320}>
        <UnstyledButton
          fz="xs"
          fw={600}
          className="muted"
          aria-label={messages.change[language]}
          onClick={() => onChange(language === 'kuery' ? 'lucene' : 'kuery')}
        >
          {messages.language[language]}
        </UnstyledButton>
      </Tooltip>
    </Group>
  )
}

function problemOf(text: string): string | undefined {
  try {
    parseKql(text)
    return undefined
  } catch (thrown) {
    return `${messageOf(thrown)}${unreadableHint(text)}`
  }
}
