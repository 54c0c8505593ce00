import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  NumberInput,
  type OptionsFilter,
  Select,
  Stack,
  TagsInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Field } from '../api/search.ts'
import { Dialog } from '../shell/dialog.tsx'
import type { FieldFilter } from '../url-state/field-filters.ts'
import { type Operator, operatorOf, operators } from './filters.ts'
import { messages } from './messages.ts'
import { useFields } from './use-fields.ts'
import { useValues, type ValueSource } from './use-values.ts'

const fieldsShownMax = 100
// Search has chosen already.
const asFound: OptionsFilter = ({ options }) => options

/** A filter in its parts: the field, what is asked of it, and the values; of a new one nothing is filled in. */
export function FilterDialog({
  filter,
  source,
  onApply,
  onClose,
}: {
  filter?: FieldFilter
  source: ValueSource
  onApply: (filter: FieldFilter) => void
  onClose: () => void
}) {
  const { fields } = useFields(source.index)
  const [name, setName] = useState<string | null>(filter?.field ?? null)
  const [operator, setOperator] = useState<Operator>(filter ? operatorOf(filter) : 'is')
  const [asked, setAsked] = useState<Asked>(() => askedOf(filter))
  const [negate, setNegate] = useState(filter?.negate === true)
  const field = fields.find((one) => one.name === name)
  const next = name === null ? undefined : filterOf(name, operator, asked)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!next) return
    const { disabled, pinned } = filter ?? {}
    onApply({
      ...next,
      ...(negate ? { negate } : {}),
      ...(disabled ? { disabled } : {}),
      ...(pinned ? { pinned } : {}),
    })
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={filter ? messages.edit : messages.add}>
      <Stack component="form" gap="sm" onSubmit={submit}>
        <Select
          label={messages.field}
          data={[...new Set([...fields.map((one) => one.name), ...(name ? [name] : [])])]}
          limit={fieldsShownMax}
          value={name}
          onChange={setName}
          searchable
          // Its list would lie over what there is to change.
          {...(filter ? {} : { 'data-autofocus': true })}
        />
        <Select
          label={messages.operator}
          data={operators.map((value) => ({ value, label: messages.operators[value] }))}
          value={operator}
          onChange={(value) => setOperator(operators.find((one) => one === value) ?? 'is')}
          allowDeselect={false}
        />
        <Values operator={operator} asked={asked} onChange={setAsked} field={field} source={source} />
        <Checkbox
          label={messages.excludes}
          checked={negate}
          onChange={(event) => setNegate(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button type="submit" disabled={!next}>
            {messages.apply}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** What was filled in for each operator; kept while somebody tries another. */
interface Asked {
  readonly value: string
  readonly values: readonly string[]
  readonly gte: number | string
  readonly lte: number | string
}

function askedOf(filter: FieldFilter | undefined): Asked {
  const { value, values, range } = filter ?? {}
  return {
    value: value === undefined ? '' : String(value),
    values: (values ?? []).map(String),
    gte: range?.gte ?? '',
    lte: range?.lte ?? '',
  }
}

/** The filter that was asked for; undefined while it lacks its values. */
function filterOf(field: string, operator: Operator, { value, values, gte, lte }: Asked): FieldFilter | undefined {
  switch (operator) {
    case 'is':
      return value === '' ? undefined : { field, value }
    case 'isOneOf':
      return values.length === 0 ? undefined : { field, values }
    case 'isBetween': {
      const range = { ...(typeof gte === 'number' ? { gte } : {}), ...(typeof lte === 'number' ? { lte } : {}) }
      return Object.keys(range).length === 0 ? undefined : { field, range }
    }
    case 'exists':
      return { field }
  }
}

function Values({
  operator,
  asked,
  onChange,
  field,
  source,
}: {
  operator: Operator
  asked: Asked
  onChange: (asked: Asked) => void
  field: Field | undefined
  source: ValueSource
}) {
  const [typed, setTyped] = useState('')
  const offered = useValues(source, field, operator === 'is' ? asked.value : typed)
  const look = { data: [...offered], filter: asFound }
  switch (operator) {
    case 'is':
      return (
        <Autocomplete
          label={messages.value}
          value={asked.value}
          onChange={(value) => onChange({ ...asked, value })}
          {...look}
        />
      )
    case 'isOneOf':
      return (
        <TagsInput
          label={messages.values}
          value={[...asked.values]}
          onChange={(values) => onChange({ ...asked, values })}
          searchValue={typed}
          onSearchChange={setTyped}
          {...look}
        />
      )
    case 'isBetween':
      return (
        <Group grow>
          <NumberInput label={messages.from} value={asked.gte} onChange={(gte) => onChange({ ...asked, gte })} />
          <NumberInput label={messages.to} value={asked.lte} onChange={(lte) => onChange({ ...asked, lte })} />
        </Group>
      )
    case 'exists':
      return null
  }
}
