import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { IndexPattern } from '../../api/index-patterns.ts'
import { useIndexPatterns } from '../../api/saved-objects.ts'
import { sourceOf } from '../../esql/with-condition.ts'
import { AddFilter } from '../../query/add-filter.tsx'
import { FilterPills } from '../../query/filter-pills.tsx'
import { withFilter } from '../../query/filters.ts'
import { writeLanguage } from '../../query/language.ts'
import { QueryBar, type TypedQuery } from '../../query/query-bar.tsx'
import { SavedQueries } from '../../query/saved-queries/saved-queries.tsx'
import { PageTitle } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { TimePicker } from '../../time/time-picker.tsx'
import { type TimeState, useTimeRange } from '../../time/use-time-range.ts'
import { appPath } from '../../url-state/app-path.ts'
import type { FieldFilter } from '../../url-state/field-filters.ts'
import { writeFilters } from '../../url-state/field-filters.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { EsqlDiscover } from './esql/esql-discover.tsx'
import { freshSearch, LanguageSwitch } from './language-switch.tsx'
import { messages } from './messages.ts'
import { OpenSearch } from './open-search.tsx'
import { CsvButton, LiveButton } from './result-actions.tsx'
import { Results } from './results.tsx'
import { SavedSearchMenu } from './saved-search-menu.tsx'
import { useDiscover } from './use-discover.ts'
import { useDiscoverState } from './use-discover-state.ts'
import './discover.css'

export { askFirst } from './ask-first.ts'

/** Discover: what events are there, when, and what do they say. */
export function Page() {
  const patterns = useIndexPatterns()
  const url = useUrlState()
  if (patterns.isPending) return <LoadingState />
  if (patterns.isError) return <ErrorState error={patterns.error} onRetry={() => void patterns.refetch()} />
  const wanted = url.get('index')
  const pattern = patterns.data.find(({ id }) => id === wanted) ?? patterns.data[0]
  if (!pattern) return <NoPattern />
  return <Discover pattern={pattern} patterns={patterns.data} />
}

function Discover({ pattern, patterns }: { pattern: IndexPattern; patterns: readonly IndexPattern[] }) {
  const time = useTimeRange()
  const state = useDiscoverState(pattern)
  if (state.esql !== undefined) return <EsqlDiscover state={state} esql={state.esql} time={time} patterns={patterns} />
  return <FieldDiscover state={state} time={time} pattern={pattern} patterns={patterns} />
}

interface FieldDiscoverProps {
  readonly state: ReturnType<typeof useDiscoverState>
  readonly time: TimeState
  readonly pattern: IndexPattern
  readonly patterns: readonly IndexPattern[]
}

/** Documents of one index pattern, found with the query bar. */
function FieldDiscover({ state, time, pattern, patterns }: FieldDiscoverProps) {
  const url = useUrlState()
  const { query, language, filters, columns, sort, widths, saved, base } = state
  const request = useMemo(
    () => ({ pattern, query, language, filters, time, sort, base }),
    [pattern, query, language, filters, time, sort, base],
  )
  const source = useMemo(
    () => ({ index: pattern.title, timeField: pattern.timeField, range: time.resolved }),
    [pattern, time.resolved],
  )
  const found = useDiscover(request)
  const submit = (next: TypedQuery): void => {
    url.set({ query: next.query, language: writeLanguage(next.language) })
    // Who asks anew means the "now" of this moment, also when the question is the same.
    time.refresh()
  }
  const setFilters = (next: readonly FieldFilter[]): void => url.set({ filters: writeFilters(next) })
  const addFilter = (filter: FieldFilter): void => setFilters(withFilter(filters, filter))
  const toggleColumn = (name: string): void => {
    const next = columns.includes(name) ? columns.filter((other) => other !== name) : [...columns, name]
    url.set({ columns: next.join(',') }, { replace: true })
  }
  return (
    <div className="discover">
      <PageTitle title={saved ? String(saved.attributes['title']) : messages.title} />
      <Stack gap="xs" p="sm" className="discover-bar">
        <Group gap="xs" align="flex-start" wrap="wrap">
          <PatternPicker pattern={pattern} patterns={patterns} />
          <QueryBar query={query} language={language} source={source} onSubmit={submit} />
          <LanguageSwitch
            {...messages.askInEsql}
            onSwitch={() =>
              url.set(freshSearch({ language: 'esql', query: `FROM ${sourceOf(pattern.title)} | LIMIT 100` }))
            }
          />
          <AddFilter source={source} onAdd={addFilter} />
          <SavedQueries asked={{ query, language, filters }} range={time.range} />
          <TimePicker time={time} busy={found.documents.isFetching} />
        </Group>
        <Group gap={6} className="discover-pills">
          {saved && <OpenSearch saved={saved} base={base} onClose={() => url.set({ saved: undefined })} />}
          <FilterPills filters={filters} source={source} onChange={setFilters} />
        </Group>
      </Stack>
      <Results
        pattern={pattern}
        time={time}
        found={found}
        columns={columns}
        onToggleColumn={toggleColumn}
        onFilter={addFilter}
        view={{
          sort: sort ?? (pattern.timeField ? { field: pattern.timeField, direction: 'desc' } : undefined),
          onSort: (next) => url.set({ sort: `${next.field}:${next.direction}` }, { replace: true }),
          widths,
          onResize: state.resize,
        }}
        actions={
          <>
            <LiveButton time={time} />
            <SavedSearchMenu state={{ ...state, patternId: pattern.id }} saved={saved} onOpen={state.open} />
            <CsvButton
              index={pattern.title}
              query={found.clause}
              sort={found.sort}
              timeField={pattern.timeField}
              leavesOut={pattern.leavesOut}
              columns={columns}
            />
          </>
        }
      />
    </div>
  )
}

function PatternPicker({ pattern, patterns }: { pattern: IndexPattern; patterns: readonly IndexPattern[] }) {
  const url = useUrlState()
  const labels = new Map(patterns.map((entry) => [entry.id, entry]))
  return (
    <Select
      aria-label={messages.pattern}
      w={230}
      data={patterns.map((entry) => ({ value: entry.id, label: entry.name }))}
      value={pattern.id}
      onChange={(id) => url.set({ index: id ?? undefined, columns: undefined, sort: undefined, saved: undefined })}
      allowDeselect={false}
      searchable={patterns.length > 8}
      rightSectionWidth={pattern.isDefault ? 84 : 32}
      {...(pattern.isDefault ? { rightSection: <DefaultMark />, rightSectionPointerEvents: 'none' as const } : {})}
      renderOption={({ option }) => (
        <Group justify="space-between" w="100%" wrap="nowrap">
          <Text size="sm" truncate>
            {option.label}
          </Text>
          {labels.get(option.value)?.isDefault && <DefaultMark />}
        </Group>
      )}
    />
  )
}

function DefaultMark() {
  return (
    <Text size="xs" fw={600} c="brand" component="span">
      {messages.defaultLabel}
    </Text>
  )
}

function NoPattern() {
  return (
    <EmptyState
      title={messages.noPatternTitle}
      action={
        <Button component={Link} href={appPath('/app/management/index-patterns')} variant="light" mt="xs">
          {messages.openManagement}
        </Button>
      }
    >
      {messages.noPatternText}
    </EmptyState>
  )
}
