import { Alert, Button, Popover, Skeleton, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import type { EsqlAnswer } from '../../../api/esql.ts'
import { DocumentTable } from '../../../documents/document-table.tsx'
import { formatNumber } from '../../../format/format.ts'
import { LeftOutNote } from '../../../shell/left-out-note.tsx'
import { EmptyState, ErrorState } from '../../../shell/states.tsx'
import type { TimeState } from '../../../time/use-time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import { useUrlState } from '../../../url-state/use-url-state.ts'
import { FieldList } from '../field-list.tsx'
import { Histogram } from '../histogram.tsx'
import { messages } from '../messages.ts'
import { LiveButton } from '../result-actions.tsx'
import { LoadingRows, ResultsFrame } from '../results-frame.tsx'
import { SavedSearchMenu } from '../saved-search-menu.tsx'
import type { useDiscoverState } from '../use-discover-state.ts'
import { EsqlCsvButton } from './esql-csv-button.tsx'
import { columnFields, columnTypes, defaultLimit, hitsOf, otherWarnings, shownColumns, sortedRows } from './rows.ts'
import type { useEsql } from './use-esql.ts'

interface EsqlResultsProps {
  readonly state: ReturnType<typeof useDiscoverState>
  readonly esql: string
  readonly time: TimeState
  readonly timeField: string
  readonly found: ReturnType<typeof useEsql>
  /** The type is that of the column; without one the field is the indices'. */
  readonly onFilter: (filter: FieldFilter, type?: string) => void
}

const nothing: EsqlAnswer = { columns: [], values: [], warnings: [] }

/** The columns of the answer at the left; its bars and its rows at the right. */
export function EsqlResults({ state, esql, time, timeField: wanted, found, onFilter }: EsqlResultsProps) {
  const url = useUrlState()
  const answer = found.answer.data ?? nothing
  const timeField = found.isTimed ? wanted : undefined
  const hits = useMemo(() => sortedRows(hitsOf(answer), state.sort), [answer, state.sort])
  const types = useMemo(() => columnTypes(answer), [answer])
  const fields = useMemo(() => columnFields(answer), [answer])
  const columns = useMemo(
    () => shownColumns(answer, { esql, chosen: state.columns, timeField }),
    [answer, esql, state.columns, timeField],
  )
  const toggle = (name: string): void => {
    const next = columns.includes(name) ? columns.filter((other) => other !== name) : [...columns, name]
    url.set({ columns: next.join(',') }, { replace: true })
  }
  const filter = (one: FieldFilter): void => onFilter(one, types.get(one.field) ?? 'keyword')
  const { histogram } = found
  const bars = messages.perInterval(found.interval.text)
  return (
    <ResultsFrame
      fields={
        fields.length > 0 && (
          <FieldList
            fields={fields}
            hits={hits}
            index=""
            clause={undefined}
            columns={columns}
            onToggleColumn={toggle}
            onFilter={filter}
          />
        )
      }
      summary={found.isAsked && !found.answer.isError && <Summary answer={found.answer.data} esql={esql} />}
      note={histogram && (histogram.isBeforeLimit ? messages.esql.beforeLimit(bars) : bars)}
      actions={
        <>
          <LiveButton time={time} />
          <SavedSearchMenu state={state} saved={state.saved} onOpen={state.open} />
          <EsqlCsvButton answer={found.answer.data} hits={hits} columns={state.columns} name={found.index ?? 'rows'} />
        </>
      }
    >
      <Unanswered found={found} />
      {found.answer.data && hits.length > 0 && (
        <>
          {histogram && (
            <Histogram
              bars={histogram.bars}
              error={null}
              onRetry={time.refresh}
              interval={found.interval}
              range={time.resolved}
              onZoom={(fromMs, toMs) =>
                time.setRange({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() })
              }
            />
          )}
          <DocumentTable
            hits={hits}
            timeField={timeField}
            columns={columns}
            types={types}
            onToggleColumn={toggle}
            onFilter={filter}
            sort={state.sort}
            canSort={() => true}
            onSort={(next) => url.set({ sort: `${next.field}:${next.direction}` }, { replace: true })}
            widths={state.widths}
            onResize={state.resize}
          />
        </>
      )}
    </ResultsFrame>
  )
}

/** What stands in the place of rows. */
function Unanswered({ found: { answer, isAsked, problem } }: { found: ReturnType<typeof useEsql> }) {
  if (!isAsked) return <EmptyState title={messages.esql.nothingTitle}>{messages.esql.nothingText}</EmptyState>
  if (problem !== undefined) {
    return (
      <Alert m="sm" color="yellow" icon={<TriangleAlert size={18} />}>
        {problem}
      </Alert>
    )
  }
  if (answer.isError)
    return <ErrorState error={answer.error} title={messages.esql.failed} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <LoadingRows />
  return answer.data.values.length > 0 ? null : (
    <EmptyState title={messages.esql.emptyTitle}>{messages.emptyText}</EmptyState>
  )
}

function Summary({ answer, esql }: { answer: EsqlAnswer | undefined; esql: string }) {
  if (!answer) return <Skeleton h={16} w={140} animate={false} />
  const limit = defaultLimit(answer, esql)
  return (
    <>
      <Text size="sm" fw={600} data-testid="row-count" style={{ whiteSpace: 'nowrap' }}>
        {messages.esql.rows(formatNumber(answer.values.length))}
        {limit !== undefined && (
          <Text span size="xs" className="muted" fw={400} ml={8}>
            {messages.esql.limited(formatNumber(limit))}
          </Text>
        )}
      </Text>
      <LeftOutNote leftOut={answer.is_partial ? { indices: [], isLate: true } : undefined} />
      <Warnings texts={otherWarnings(answer)} />
    </>
  )
}

function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Popover position="bottom-start" width={420} withArrow>
      <Popover.Target>
        <Button size="compact-xs" variant="light" color="yellow" leftSection={<TriangleAlert size={12} />}>
          {messages.esql.warnings(texts.length)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6} mah={260} style={{ overflow: 'auto' }}>
          {[...new Set(texts)].map((text) => (
            <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
