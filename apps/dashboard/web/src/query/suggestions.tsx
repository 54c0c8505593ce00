import { Combobox, Group, Text } from '@mantine/core'
import { FieldIcon } from '../fields/field-icon.tsx'
import { messages } from './messages.ts'
import { kqlValue, namesLike, wantedAt } from './suggest.ts'
import { useFields } from './use-fields.ts'
import { useValues, type ValueSource } from './use-values.ts'

/** What is put in place of the text from `from` to the cursor. */
export interface Completion {
  readonly from: number
  readonly insert: string
}

/** One that is offered: what is shown and what is written; `type` is that of a field. */
export interface Suggestion {
  readonly label: string
  readonly insert: string
  readonly type?: string | undefined
}

const namesMax = 10

/** What may be written next in KQL. It exists while it is shown: its search ends with it. */
export function Suggestions({ text, cursor, source }: { text: string; cursor: number; source: ValueSource }) {
  const { fields } = useFields(source.index)
  const wanted = wantedAt(text, cursor)
  const named = wanted?.kind === 'value' ? fields.find(({ name }) => name === wanted.field) : undefined
  const values = useValues(source, named, wanted?.kind === 'value' ? wanted.typed : '')
  if (!wanted) return null
  return <SuggestionList from={wanted.from} options={optionsOf()} />

  function optionsOf(): Suggestion[] {
    switch (wanted?.kind) {
      case 'field': {
        const types = new Map(fields.map(({ name, type }) => [name, type]))
        return namesLike([...types.keys()], wanted.typed, namesMax).map((name) => ({
          label: name,
          insert: `${name}: `,
          type: types.get(name) ?? '',
        }))
      }
      case 'value':
        return values.map((value) => ({ label: value, insert: `${kqlValue(value)} ` }))
      case 'joint':
        return ['and', 'or'].map((joint) => ({ label: joint, insert: `${joint} ` }))
      default:
        return []
    }
  }
}

/** The list of what may be written from `from` on; the value of an option is a `Completion` as JSON. */
export function SuggestionList({ from, options }: { from: number; options: readonly Suggestion[] }) {
  if (options.length === 0) return null
  return (
    <Combobox.Dropdown>
      <Combobox.Options aria-label={messages.suggestions}>
        {options.map(({ label, insert, type }) => (
          <Combobox.Option key={insert} value={JSON.stringify({ from, insert })}>
            <Group gap={6} wrap="nowrap">
              {type && <FieldIcon type={type} />}
              <Text size="sm" className="mono truncate">
                {label}
              </Text>
            </Group>
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}
