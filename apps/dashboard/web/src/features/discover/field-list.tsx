import type { QueryClause } from '@logstack/kql'
import { Box, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CirclePlus, Minus, Plus, Search } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { type Field, type Hit, search } from '../../api/search.ts'
import { fieldsOfHit } from '../../documents/fields-of-hit.ts'
import { FieldIcon } from '../../fields/field-icon.tsx'
import { formatNumber } from '../../format/format.ts'
import type { FieldNames } from '../../kibana/field-names.ts'
import type { FieldFilter } from '../../url-state/field-filters.ts'
import { messages } from './messages.ts'

interface FieldListProps {
  readonly fields: readonly Field[]
  /** What the index pattern calls them. */
  readonly names?: FieldNames | undefined
  readonly hits: readonly Hit[]
  /** Names of indices, and what of them is looked at: the most common values are counted there. */
  readonly index: string
  readonly clause: QueryClause | undefined
  readonly columns: readonly string[]
  readonly onToggleColumn: (name: string) => void
  readonly onFilter: (filter: FieldFilter) => void
}

const shownMax = 300
const topValuesMax = 10
// Documents that tell which fields there are: enough to know, and few enough to look through again whenever more are loaded.
const sampleMax = 500

/** The fields of the pattern: those that the documents have come first. A click shows the most common values. */
export const FieldList = memo(function FieldList(props: FieldListProps) {
  const { fields, names, hits, columns } = props
  const [find, setFind] = useState('')
  const [opened, setOpened] = useState<string>()
  const samples = useMemo(() => sampleValues(hits.slice(0, sampleMax)), [hits])
  const listed = useMemo(() => order(fields, samples, find, names), [fields, samples, find, names])
  const chosen = listed.filter((field) => columns.includes(field.name))
  const available = listed.filter((field) => !columns.includes(field.name)).slice(0, shownMax)
  const row = (field: Field) => (
    <FieldRow
      key={field.name}
      {...props}
      field={field}
      values={samples.get(field.name)}
      total={Math.min(hits.length, sampleMax)}
      opened={opened === field.name}
      onOpen={() => setOpened(opened === field.name ? undefined : field.name)}
    />
  )
  return (
    <Stack gap="xs" p="xs">
      <TextInput
        size="xs"
        aria-label={messages.findField}
        placeholder={messages.findField}
        leftSection={<Search size={13} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      {chosen.length > 0 && <Section title={messages.selectedFields}>{chosen.map(row)}</Section>}
      <Section title={`${messages.availableFields} (${listed.length - chosen.length})`}>{available.map(row)}</Section>
      {listed.length === 0 && (
        <Text size="xs" className="muted" px={4}>
          {messages.noFieldFits}
        </Text>
      )}
    </Stack>
  )
})

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" fw={600} className="muted" mb={2} px={4}>
        {title}
      </Text>
      {children}
    </div>
  )
}

interface FieldRowProps extends FieldListProps {
  readonly field: Field
  readonly values: ReadonlyMap<string, number> | undefined
  readonly total: number
  readonly opened: boolean
  readonly onOpen: () => void
}

function FieldRow({ field, names, values, total, opened, onOpen, columns, index, clause, ...actions }: FieldRowProps) {
  const { onToggleColumn, onFilter } = actions
  const isColumn = columns.includes(field.name)
  const toggle = isColumn ? messages.removeColumn : messages.addColumn
  // Plain elements: there are hundreds of rows, and the library's buttons and tooltips are most of what they would cost.
  return (
    <div className="discover-field">
      <div className="discover-field-row">
        <button type="button" className="plain-button discover-field-name" onClick={onOpen} aria-expanded={opened}>
          <FieldIcon type={field.type} conflicting={field.conflicting} />
          <span className={values ? 'truncate' : 'truncate muted'} title={field.name}>
            {names?.[field.name] ?? field.name}
          </span>
        </button>
        <button
          type="button"
          className="plain-button discover-field-action"
          title={toggle}
          aria-label={`${toggle}: ${field.name}`}
          onClick={() => onToggleColumn(field.name)}
        >
          {isColumn ? <Minus size={13} /> : <Plus size={13} />}
        </button>
      </div>
      {opened && (
        <TopValues field={field} values={values} total={total} index={index} clause={clause} onFilter={onFilter} />
      )}
    </div>
  )
}

type TopValuesProps = Pick<FieldRowProps, 'field' | 'values' | 'total' | 'index' | 'clause' | 'onFilter'>

interface Common {
  readonly values: readonly (readonly [value: string, count: number])[]
  /** The documents that were counted. */
  readonly of: number
}

function TopValues({ field, values, total, index, clause, onFilter }: TopValuesProps) {
  const counted = useQuery({
    queryKey: ['discover', 'top-values', index, clause, field.name],
    queryFn: ({ signal }) => commonValues(index, clause, field.name, signal),
    enabled: field.aggregatable,
  })
  // Text cannot be counted by search: the documents that are loaded stand for all.
  const sample = [...(values ?? [])].sort(([, left], [, right]) => right - left).slice(0, topValuesMax)
  const common: Common = counted.data ?? { values: sample, of: total }
  const share = (count: number): number => (100 * count) / Math.max(1, common.of)
  return (
    <Stack gap={4} p={6} mb={4} className="discover-top-values">
      {common.values.map(([value, count]) => (
        <UnstyledButton key={value} onClick={() => onFilter({ field: field.name, value })} title={messages.filterFor}>
          <Group justify="space-between" gap={6} wrap="nowrap">
            <Text size="xs" className="truncate">
              {value}
            </Text>
            <Text size="xs" className="muted">
              {Math.round(share(count))}%
            </Text>
          </Group>
          <Box className="discover-share">
            <Box style={{ width: `${share(count)}%` }} />
          </Box>
        </UnstyledButton>
      ))}
      <Text size="xs" className="muted">
        {counted.data ? messages.ofAll(formatNumber(common.of)) : messages.ofSample(formatNumber(common.of))}
      </Text>
      <UnstyledButton onClick={() => onFilter({ field: field.name })}>
        <Group gap={4} wrap="nowrap">
          <CirclePlus size={12} />
          <Text size="xs">{messages.filterExists}</Text>
        </Group>
      </UnstyledButton>
    </Stack>
  )
}

async function commonValues(
  index: string,
  clause: QueryClause | undefined,
  field: string,
  signal: AbortSignal,
): Promise<Common> {
  const aggs = { top: { terms: { field, size: topValuesMax } } }
  const body = { size: 0, track_total_hits: true, query: clause, aggs }
  const { aggregations, hits } = await search(index, body, signal)
  const top = aggregations?.['top'] as { buckets?: { key: unknown; key_as_string?: string; doc_count: number }[] }
  const values = (top?.buckets ?? []).map((one) => [one.key_as_string ?? String(one.key), one.doc_count] as const)
  return { values, of: hits.total?.value ?? 0 }
}

function sampleValues(hits: readonly Hit[]): Map<string, Map<string, number>> {
  const samples = new Map<string, Map<string, number>>()
  for (const hit of hits) {
    for (const [name, value] of fieldsOfHit(hit)) {
      const counts = samples.get(name) ?? new Map<string, number>()
      for (const item of Array.isArray(value) ? value : [value]) {
        const text = (typeof item === 'object' ? JSON.stringify(item) : String(item)).slice(0, 200)
        counts.set(text, (counts.get(text) ?? 0) + 1)
      }
      samples.set(name, counts)
    }
  }
  return samples
}

function order(
  fields: readonly Field[],
  samples: ReadonlyMap<string, unknown>,
  find: string,
  names: FieldNames = {},
): Field[] {
  const wanted = find.trim().toLowerCase()
  const isWanted = ({ name }: Field): boolean =>
    [name, names[name] ?? ''].some((one) => one.toLowerCase().includes(wanted))
  const named = wanted === '' ? fields : fields.filter(isWanted)
  return [...named].sort(
    (left, right) =>
      Number(samples.has(right.name)) - Number(samples.has(left.name)) || left.name.localeCompare(right.name),
  )
}
