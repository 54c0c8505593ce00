import { MultiSelect, Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { askEsql } from '../../../api/esql.ts'
import { indicesOf } from '../../../esql/query-text.ts'
import { esqlQuestion } from '../../../esql/question.ts'
import { variablesIn } from '../../../esql/variables.ts'
import { typesOf } from '../../../query/build-query.ts'
import { sharedFields } from '../../../query/shared-fields.ts'
import { messages } from '../messages.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { VariableControlModel } from '../model/variable-controls.ts'

interface Props {
  readonly control: VariableControlModel
  readonly chosen: readonly string[]
  readonly context: DashboardContext
}

/** Values of a parameter to choose from: those it was saved with, or those its query finds. */
export function VariableControl({ control, chosen, context }: Props) {
  const offered = useOffered(control, context)
  const shared = {
    label: control.label,
    size: 'xs',
    miw: 140,
    maw: 420,
    // What is chosen stays in the list, whatever the query finds now.
    data: [...new Set([...chosen, ...(offered.data ?? control.options)])],
    nothingFoundMessage: messages.noValues,
    searchable: true,
    error: offered.error ? messages.panelFailed : undefined,
  }
  if (control.multiple)
    return (
      <MultiSelect
        {...shared}
        value={[...chosen]}
        onChange={(next) => context.onVariable(control.name, next.length === 0 ? undefined : next)}
      />
    )
  return (
    <Select
      {...shared}
      value={chosen[0] ?? null}
      allowDeselect={false}
      onChange={(next) => context.onVariable(control.name, next === null ? undefined : [next])}
    />
  )
}

function useOffered({ id, name, esql }: VariableControlModel, context: DashboardContext) {
  const others = context.variables.filter((variable) => variable.name !== name)
  const variables = esql === undefined ? [] : variablesIn(esql, others)
  return useQuery({
    queryKey: ['control', id, esql, variables, context.range, context.round],
    enabled: esql !== undefined,
    queryFn: async ({ signal }) => {
      const query = esql ?? ''
      const index = indicesOf(query)
      const types = typesOf(index === undefined ? [] : await sharedFields(index))
      const asked = { esql: query, timeField: '@timestamp', range: context.range, queries: [], filters: [] }
      const { values } = await askEsql(esqlQuestion({ ...asked, types, variables }), signal)
      return values.flatMap(([value]) => (value === null || value === undefined ? [] : [value].flat().map(String)))
    },
    placeholderData: keepPreviousData,
  })
}
