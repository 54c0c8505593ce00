import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calculatedWanted } from '../../../api/calculated-fields.ts'
import { searchTogether } from '../../../api/search-batch.ts'
import { DocumentTable } from '../../../documents/document-table.tsx'
import { texts } from '../../../kibana/saved-json.ts'
import { sourceWanted } from '../../../kibana/source-filters.ts'
import { buildQuery } from '../../../query/build-query.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shell/states.tsx'
import { Answered } from '../answers/answered.tsx'
import type { PanelAnswer } from '../answers/panel-answer.ts'
import { sharedTypes } from '../answers/use-table.ts'
import { messages } from '../messages.ts'
import { documentsTable, savedLook } from '../model/documents-table.ts'
import { searchSource } from '../model/legacy-vis.ts'
import { definePanel, type PanelProps } from '../model/panel.ts'
import { DataPanel } from './data-panel.tsx'
import { isEsqlSearch, prepareEsqlSearch } from './esql-search.tsx'

const documentsMax = 200
const noTypes: ReadonlyMap<string, string> = new Map()

/** A saved search: its documents, newest first, with its columns; the rows of one in ES|QL. */
export const search = definePanel('search', SearchPanel)

function SearchPanel(props: PanelProps) {
  return isEsqlSearch(props.panel) ? <DataPanel {...props} prepare={prepareEsqlSearch} /> : <FieldSearch {...props} />
}

function FieldSearch({ panel, context }: PanelProps) {
  const source = useMemo(() => searchSource(panel.attributes, panel, context.objects), [panel, context.objects])
  const columns = useMemo(
    () => texts(panel.config['columns'] ?? panel.attributes['columns']).filter((name) => name !== '_source'),
    [panel],
  )
  const look = useMemo(() => savedLook(panel.attributes, panel.config), [panel])
  const neighbourhood = useMemo(() => {
    const { index, timeField, leavesOut } = source
    return timeField ? { index, timeField, leavesOut } : undefined
  }, [source])
  const found = useDocuments({ panel, context }, { source, columns, look })
  if (found.error) {
    return <ErrorState error={found.error} title={messages.panelFailed} onRetry={() => void found.refetch()} />
  }
  if (!found.data) return <LoadingState label={panel.title} />
  const { hits, types, told } = found.data
  return (
    <Answered told={told}>
      {hits.length === 0 ? (
        <EmptyState title={messages.noData} />
      ) : (
        <div style={{ height: '100%', display: 'flex' }} data-testid="panel-drawn">
          <DocumentTable
            hits={hits}
            timeField={source.timeField}
            columns={columns}
            types={types ?? noTypes}
            formats={source.formats}
            names={source.names}
            pattern={source.index}
            onFilter={context.onFilter}
            widths={look.widths}
            neighbourhood={neighbourhood}
            {...(look.sort ? { sort: look.sort } : {})}
          />
        </div>
      )}
    </Answered>
  )
}

type Source = ReturnType<typeof searchSource>

/** The documents of a saved search, with what is needed to look behind them. */
function useDocuments(
  { panel, context }: PanelProps,
  {
    source,
    columns,
    look,
  }: { readonly source: Source; readonly columns: readonly string[]; readonly look: ReturnType<typeof savedLook> },
) {
  return useQuery({
    queryKey: [
      'panel',
      panel.id,
      source,
      columns,
      look.sort,
      context.range,
      context.queries,
      context.filters,
      context.round,
    ],
    queryFn: async ({ signal }) => {
      const types = await sharedTypes(source.index)
      const query = buildQuery({
        timeField: source.timeField,
        range: context.range,
        queries: [...context.queries, ...source.queries],
        filters: [...context.filters, ...source.filters],
        types,
      })
      const order = look.sort ?? (source.timeField ? { field: source.timeField, direction: 'desc' } : undefined)
      const unmapped = order?.field === source.timeField ? 'date' : 'keyword'
      const sort = order ? [{ [order.field]: { order: order.direction, unmapped_type: unmapped } }] : []
      const wanted = { ...calculatedWanted(source.index), ...sourceWanted(source.leavesOut) }
      const body = { size: documentsMax, track_total_hits: true, query, sort, ...wanted }
      const answer = await searchTogether(source.index, body, signal)
      const { hits } = answer.hits
      const table = documentsTable({ hits, columns, types, ...source })
      const told = [answer]
      return { hits, types, table, index: source.index, body, answer, told } satisfies PanelAnswer &
        Record<string, unknown>
    },
    placeholderData: keepPreviousData,
  })
}
