import { Box, Group, Stack } from '@mantine/core'
import { useMemo } from 'react'
import type { IndexPattern } from '../../../api/index-patterns.ts'
import { indicesOf } from '../../../esql/query-text.ts'
import { withCondition } from '../../../esql/with-condition.ts'
import { AddFilter } from '../../../query/add-filter.tsx'
import { pillClauses } from '../../../query/build-query.ts'
import { FilterPills } from '../../../query/filter-pills.tsx'
import { withFilter } from '../../../query/filters.ts'
import { PageTitle } from '../../../shell/page.tsx'
import { TimePicker } from '../../../time/time-picker.tsx'
import type { TimeState } from '../../../time/use-time-range.ts'
import { type FieldFilter, writeFilters } from '../../../url-state/field-filters.ts'
import { useUrlState } from '../../../url-state/use-url-state.ts'
import { freshSearch, LanguageSwitch } from '../language-switch.tsx'
import { messages } from '../messages.ts'
import { OpenSearch } from '../open-search.tsx'
import type { useDiscoverState } from '../use-discover-state.ts'
import { EsqlEditor } from './esql-editor.tsx'
import { EsqlResults } from './esql-results.tsx'
import { keepsColumns } from './rows.ts'
import { useEsql } from './use-esql.ts'

interface EsqlDiscoverProps {
  readonly state: ReturnType<typeof useDiscoverState>
  readonly esql: string
  readonly time: TimeState
  readonly patterns: readonly IndexPattern[]
}

/** Discover with a query in ES|QL: it says itself which indices it reads. Pills and the range narrow what it reads. */
export function EsqlDiscover({ state, esql, time, patterns }: EsqlDiscoverProps) {
  const url = useUrlState()
  const { filters, saved, base } = state
  const pattern = patterns.find(({ title }) => title === indicesOf(esql))
  const timeField = pattern?.timeField ?? '@timestamp'
  const clauses = useMemo(() => [...base.clauses, ...pillClauses(filters)], [base, filters])
  const found = useEsql({ esql, timeField, queries: base.queries, clauses, time })
  const { index } = found
  const source = useMemo(
    () => ({ index: index ?? '', timeField, range: time.resolved }),
    [index, timeField, time.resolved],
  )
  const run = (next: string): void => {
    const kept = keepsColumns(esql, next) ? {} : { columns: undefined, sort: undefined }
    url.set({ ...kept, language: 'esql', query: next.trim() })
    // Who asks anew means the "now" of this moment, also when the question is the same.
    time.refresh()
  }
  const setFilters = (next: readonly FieldFilter[]): void => url.set({ filters: writeFilters(next) })
  // Of a field of the indices it narrows what is read; a column that the query made is looked at behind it.
  const addFilter = (filter: FieldFilter, type?: string): void =>
    found.fields.types.has(filter.field) || type === undefined
      ? setFilters(withFilter(filters, filter))
      : run(withCondition(esql, filter, type))
  return (
    <div className="discover">
      <PageTitle title={saved ? String(saved.attributes['title']) : messages.title} />
      <Stack gap="xs" p="sm" className="discover-bar">
        <Group gap="xs" align="flex-start" wrap="wrap">
          <LanguageSwitch
            {...messages.askInKql}
            onSwitch={() => url.set(freshSearch({ language: undefined, query: undefined, index: pattern?.id }))}
          />
          {index !== undefined && <AddFilter source={source} onAdd={addFilter} />}
          <Box flex={1} />
          <TimePicker time={time} busy={found.answer.isFetching} />
        </Group>
        <EsqlEditor
          esql={esql}
          isWrong={found.answer.isError || found.problem !== undefined}
          patterns={patterns.map(({ title }) => title)}
          onRun={run}
        />
        <Group gap={6} className="discover-pills">
          {saved && <OpenSearch saved={saved} base={base} onClose={() => url.set({ saved: undefined })} />}
          <FilterPills filters={filters} source={source} onChange={setFilters} />
        </Group>
      </Stack>
      <EsqlResults state={state} esql={esql} time={time} timeField={timeField} found={found} onFilter={addFilter} />
    </div>
  )
}
