import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { search } from '../../../api/search.ts'
import { buildQuery, pillClauses } from '../../../query/build-query.ts'
import { containing } from '../../../query/containing.ts'
import { sharedTypes } from '../answers/use-table.ts'
import { messages } from '../messages.ts'
import type { ControlModel } from '../model/controls.ts'
import type { DashboardContext } from '../model/panel.ts'

const typingPauseMs = 250

/** Values of a field to choose from, most frequent first; typing looks among all of them. */
export function ListControl({ control, context }: { control: ControlModel; context: DashboardContext }) {
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed, typingPauseMs)
  const chosen = context.pills.find((pill) => pill.control === control.id)
  const values = (chosen?.values ?? []).map(String)
  const parents = context.pills.filter((pill) => pill.control !== undefined && control.parents.includes(pill.control))
  const offered = useQuery({
    queryKey: ['control', control, wanted, parents, context.queries, context.range, context.round],
    queryFn: async ({ signal }) => {
      const types = await sharedTypes(control.index)
      const query = buildQuery({
        timeField: control.timeField,
        range: context.range,
        queries: context.queries,
        filters: pillClauses(parents),
        types,
      })
      // Only words can be looked for by a part of them; of addresses and numbers the most frequent are offered.
      const isWord = ['keyword', 'constant_keyword', 'wildcard'].includes(types.get(control.field) ?? '')
      const include = wanted === '' || !isWord ? {} : { include: containing(wanted) }
      const aggs = { values: { terms: { field: control.field, size: control.size, ...include } } }
      const answer = await search(control.index, { size: 0, track_total_hits: false, query, aggs }, signal)
      return keysOf(answer.aggregations?.['values'])
    },
    placeholderData: keepPreviousData,
  })
  // What is chosen stays in the list, whatever the others have narrowed it to.
  const data = [...new Set([...values, ...(offered.data ?? [])])]
  return (
    <MultiSelect
      label={control.label}
      size="xs"
      miw={180}
      maw={420}
      data={data}
      value={values}
      maxValues={control.multiple ? data.length + 1 : 1}
      placeholder={values.length === 0 ? messages.anyValue : ''}
      nothingFoundMessage={messages.noValues}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      // Search has chosen already.
      filter={({ options }) => options}
      onChange={(next) =>
        context.onControl(control.id, next.length === 0 ? undefined : { field: control.field, values: next })
      }
      error={offered.error ? messages.panelFailed : undefined}
    />
  )
}

interface Buckets {
  readonly buckets?: readonly { readonly key: string | number; readonly key_as_string?: string }[]
}

function keysOf(aggregation: unknown): string[] {
  return ((aggregation as Buckets | undefined)?.buckets ?? []).map(
    ({ key, key_as_string }) => key_as_string ?? String(key),
  )
}
