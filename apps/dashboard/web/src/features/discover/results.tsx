import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { IndexPattern } from '../../api/index-patterns.ts'
import type { HeadActions } from '../../documents/document-head.tsx'
import { DocumentTable } from '../../documents/document-table.tsx'
import { formatNumber } from '../../format/format.ts'
import { LeftOutNote } from '../../shell/left-out-note.tsx'
import { EmptyState, ErrorState } from '../../shell/states.tsx'
import type { TimeState } from '../../time/use-time-range.ts'
import type { FieldFilter } from '../../url-state/field-filters.ts'
import { FieldList } from './field-list.tsx'
import { Histogram } from './histogram.tsx'
import { listEnd } from './list-end.ts'
import { messages } from './messages.ts'
import { LoadingRows, ResultsFrame } from './results-frame.tsx'
import { documentsMax, type useDiscover } from './use-discover.ts'

/** What one search of Discover found, as its hook gives it. */
export type Found = ReturnType<typeof useDiscover>

interface ResultsProps {
  readonly pattern: IndexPattern
  readonly time: TimeState
  readonly found: Found
  readonly columns: readonly string[]
  readonly onToggleColumn: (name: string) => void
  readonly onFilter: (filter: FieldFilter) => void
  /** The order and the widths of the table, and how they are changed. */
  readonly view: Pick<HeadActions, 'sort' | 'onSort' | 'onResize'> & {
    readonly widths: Readonly<Record<string, number>>
  }
  /** What can be done with the whole result. */
  readonly actions: ReactNode
}

/** Fields at the left; histogram and documents at the right. */
export function Results(props: ResultsProps) {
  const { found, pattern, columns, onToggleColumn, onFilter } = props
  const fields = (
    <FieldList
      fields={found.fields.fields}
      names={pattern.names}
      hits={found.hits}
      index={pattern.title}
      clause={found.clause}
      columns={columns}
      onToggleColumn={onToggleColumn}
      onFilter={onFilter}
    />
  )
  const summary = (
    <>
      <Count found={found} />
      <LeftOutNote leftOut={found.leftOut} />
    </>
  )
  const note = pattern.timeField ? messages.perInterval(found.interval.text) : messages.noTimeField
  return (
    <ResultsFrame fields={fields} summary={summary} note={note} actions={props.actions}>
      <Documents {...props} />
    </ResultsFrame>
  )
}

function Count({ found }: { found: Found }) {
  if (!found.documents.data) return <Skeleton h={16} w={140} animate={false} />
  const { total } = found
  const shown = found.hits.length
  return (
    <Text size="sm" fw={600} data-testid="document-count" style={{ whiteSpace: 'nowrap' }}>
      {messages.events(formatNumber(total))}
      {shown < total && (
        <Text span size="xs" className="muted" fw={400} ml={8}>
          {messages.shown(formatNumber(shown))}
        </Text>
      )}
    </Text>
  )
}

function Documents({ pattern, time, found, columns, onToggleColumn, onFilter, view }: ResultsProps) {
  const { documents, hits, histogram, problem } = found
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = documents
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const { timeField, title: index, leavesOut } = pattern
  const neighbourhood = useMemo(
    () => (timeField ? { index, timeField, leavesOut } : undefined),
    [index, timeField, leavesOut],
  )
  const sortable = useMemo(
    () => new Set(found.fields.fields.filter(({ aggregatable }) => aggregatable).map(({ name }) => name)),
    [found.fields.fields],
  )
  if (problem !== undefined) {
    return (
      <Alert m="sm" color="yellow" icon={<TriangleAlert size={18} />}>
        {problem}
      </Alert>
    )
  }
  if (documents.isError) {
    // What failed together is asked again together.
    const again = (): void => {
      void documents.refetch()
      if (histogram.isError) void histogram.refetch()
    }
    return <ErrorState error={documents.error} onRetry={again} />
  }
  if (!documents.data) return <LoadingRows />
  if (hits.length === 0) {
    return (
      <EmptyState
        title={messages.emptyTitle}
        action={
          <Button variant="light" mt="xs" onClick={() => time.setRange({ from: 'now-24h', to: 'now' })}>
            {messages.widen}
          </Button>
        }
      >
        {messages.emptyText}
      </EmptyState>
    )
  }
  return (
    <>
      {pattern.timeField && (
        <Histogram
          bars={histogram.data?.bars}
          error={histogram.error}
          onRetry={() => void histogram.refetch()}
          interval={found.interval}
          range={time.resolved}
          onZoom={(fromMs, toMs) =>
            time.setRange({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() })
          }
        />
      )}
      <DocumentTable
        hits={hits}
        timeField={pattern.timeField}
        columns={columns}
        types={found.fields.types}
        formats={pattern.formats}
        pattern={pattern.title}
        names={pattern.names}
        onToggleColumn={onToggleColumn}
        onFilter={onFilter}
        canSort={(name) => sortable.has(name)}
        neighbourhood={neighbourhood}
        onEnd={onEnd}
        {...view}
      />
      <End shown={hits.length} total={found.total} />
    </>
  )
}

/** Says that more documents were found than can be scrolled to, once somebody is there. */
function End({ shown, total }: { shown: number; total: number }) {
  const text = listEnd(shown, total, documentsMax)
  if (text === undefined) return null
  return (
    <Text size="xs" px="sm" py={6} className="discover-end" role="note" data-testid="document-end">
      {text}
    </Text>
  )
}
