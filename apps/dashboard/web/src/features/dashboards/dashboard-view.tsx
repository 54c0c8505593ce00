import { ActionIcon, Anchor, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { useIsFetching, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../../api/client.ts'
import { takeEarly } from '../../api/early.ts'
import { AddFilter } from '../../query/add-filter.tsx'
import { FilterPills } from '../../query/filter-pills.tsx'
import { writeLanguage } from '../../query/language.ts'
import { QueryBar, type TypedQuery } from '../../query/query-bar.tsx'
import { SavedQueries } from '../../query/saved-queries/saved-queries.tsx'
import type { ValueSource } from '../../query/use-values.ts'
import { useSession } from '../../session/session-gate.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { TimePicker } from '../../time/time-picker.tsx'
import { describeRange, type ResolvedRange } from '../../time/time-range.ts'
import { type TimeState, useTimeRange, useTimeSearch } from '../../time/use-time-range.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { Controls } from './controls/controls.tsx'
import { TimeSlider } from './controls/time-slider.tsx'
import { useDraft } from './edit/use-draft.ts'
import { useEditor } from './edit/use-editor.tsx'
import { useReferenced } from './edit/use-referenced.ts'
import { messages } from './messages.ts'
import { type DashboardModel, dashboardOf } from './model/dashboard.ts'
import { type LoadedDashboard, loadDashboard } from './model/load-dashboard.ts'
import { dataSourceOf, type ObjectMap } from './model/objects.ts'
import { readSlice, sliceRange, type TimeSlice, wholeSlice, writeSlice } from './model/time-slice.ts'
import { PanelGrid } from './panel-grid.tsx'
import { SavedPills } from './saved-pills.tsx'
import { useDashboardContext } from './use-dashboard-context.ts'
import { ViewActions } from './view-actions.tsx'

/** One dashboard with its query bar and time picker. */
export function DashboardView({ id }: { id: string }) {
  const loaded = useQuery({
    queryKey: ['dashboard', id],
    queryFn: ({ signal }) => takeEarly(['dashboard', id], () => loadDashboard(id, signal)),
  })
  if (loaded.isPending) return <LoadingState />
  if (loaded.isError) {
    const isMissing = loaded.error instanceof ApiError && loaded.error.status === 404
    return isMissing ? (
      <EmptyState title={messages.notFound}>
        <Anchor component={Link} href="/" size="sm">
          {messages.back}
        </Anchor>
      </EmptyState>
    ) : (
      <ErrorState error={loaded.error} onRetry={() => void loaded.refetch()} />
    )
  }
  return <Drawn {...loaded.data} />
}

function Drawn({ saved, loaded }: LoadedDashboard) {
  const url = useUrlState()
  // What cannot be read would be lost by saving.
  const canEdit = useSession().canEdit && !dashboardOf(saved, loaded).isUnreadable
  const draft = useDraft(saved, canEdit && url.get('edit') === 'true')
  const object = draft.object ?? saved
  const objects = useReferenced(object, loaded)
  const dashboard = useMemo(() => dashboardOf(object, objects), [object, objects])
  const time = useTimeRange(dashboard.range)
  const slice = readSlice(url.get('slice')) ?? dashboard.timeSlider?.saved ?? wholeSlice
  const resolved = useSliced(time.resolved, dashboard.timeSlider && slice)
  const { context, choices, setFilters } = useDashboardContext({ dashboard, objects, time, resolved })
  const { query, language } = context.address
  const { set } = url
  const maximise = useCallback((panel: string | undefined) => set({ panel }), [set])
  const source = useMemo(() => valueSourceOf(objects, resolved), [objects, resolved])
  const submit = (next: TypedQuery): void => {
    url.set({ query: next.query, language: writeLanguage(next.language) })
    // Who asks anew means the "now" of this moment, also when the question is the same.
    time.refresh()
  }
  const editor = useEditor({ saved, draft, canEdit, context, range: time.range, onFiltersKept: () => setFilters([]) })
  return (
    <Stack gap={0}>
      <title>{`${dashboard.title} · logstack`}</title>
      <Stack gap="xs" p="sm" className="dashboard-bar no-print">
        <Header dashboard={dashboard}>{editor.bar}</Header>
        <Group gap="xs" align="flex-start">
          <QueryBar query={query} language={language} source={source} onSubmit={submit} />
          <AddFilter source={source} onAdd={context.onFilter} />
          <SavedQueries asked={{ query, language, filters: context.pills }} range={time.range} />
          <BusyTimePicker time={time} />
        </Group>
        <Controls controls={dashboard.controls} variables={dashboard.variables} choices={choices} context={context} />
        {dashboard.timeSlider && (
          <TimeSlider
            range={time.resolved}
            slice={slice}
            onChange={(next, isPlayed) => url.set({ slice: writeSlice(next) }, { replace: isPlayed })}
          />
        )}
        <SavedPills narrowings={dashboard.narrowings} />
        <FilterPills filters={context.pills} source={source} onChange={setFilters} />
      </Stack>
      <p className="dashboard-print-head" aria-hidden="true">
        {dashboard.title} · {describeRange(time.range)}
      </p>
      {dashboard.isUnreadable ? (
        <ErrorState error={new Error(messages.unreadableText)} title={messages.unreadable} />
      ) : dashboard.panels.length === 0 ? (
        <EmptyState title={messages.noPanels} />
      ) : (
        <PanelGrid
          panels={dashboard.panels}
          context={context}
          editing={editor.grid}
          maximised={url.get('panel')}
          onMaximise={maximise}
        />
      )}
      {editor.dialogs}
    </Stack>
  )
}

/** Where the values that the query bar offers come from: all patterns of the dashboard. */
function valueSourceOf(objects: ObjectMap, range: ResolvedRange): ValueSource {
  const patterns = [...objects.values()].filter(({ type }) => type === 'index-pattern')
  const sources = patterns.map(({ id }) => dataSourceOf(id, objects))
  const fields = new Set(sources.map(({ timeField }) => timeField))
  const timeField = fields.size === 1 ? sources[0]?.timeField : undefined
  const index = [...new Set(sources.map((source) => source.index))].join(',')
  return { index: index || dataSourceOf(undefined, objects).index, timeField, range }
}

/** The range, or a slice of it; the same object as long as it is the same. */
function useSliced(range: ResolvedRange, slice: TimeSlice | undefined): ResolvedRange {
  const { start, end, anchored } = slice ?? wholeSlice
  return useMemo(() => sliceRange(range, { start, end, anchored }), [range, start, end, anchored])
}

/** Apart from the page, so that the page is not drawn again for each panel that begins or ends loading. */
function BusyTimePicker({ time }: { time: TimeState }) {
  const busy = useIsFetching({ queryKey: ['panel'] }) > 0
  return <TimePicker time={time} busy={busy} />
}

function Header({ dashboard, children }: { dashboard: DashboardModel; children: ReactNode }) {
  const timeSearch = useTimeSearch()
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={messages.back}>
        <ActionIcon component={Link} href={`/${timeSearch}`} variant="subtle" color="gray" aria-label={messages.back}>
          <ArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <Title order={1} size="h2">
        {dashboard.title}
      </Title>
      {dashboard.description && (
        <Text size="sm" className="muted truncate" visibleFrom="md">
          {dashboard.description}
        </Text>
      )}
      <Group ml="auto" wrap="nowrap">
        <ViewActions />
        {children}
      </Group>
    </Group>
  )
}
