import { useMemo } from 'react'
import { EmptyState, ErrorState, LoadingState } from '../../../shell/states.tsx'
import { Answered } from '../answers/answered.tsx'
import { useTables } from '../answers/use-table.ts'
import { messages } from '../messages.ts'
import type { PanelProps, PreparedPanel } from '../model/panel.ts'

/** Loads and draws a data panel; waiting, failing and having no data look alike for all kinds. */
export function DataPanel({
  panel,
  context,
  prepare,
}: PanelProps & { readonly prepare: (props: PanelProps) => PreparedPanel }) {
  const { prepared, refused } = useMemo(() => tried(() => prepare({ panel, context })), [prepare, panel, context])
  const { tables, told, error, retry } = useTables(panel.id, prepared?.requests ?? [], context)
  if (!prepared) return <ErrorState error={refused} title={messages.panelFailed} />
  if (error) return <ErrorState error={error} title={messages.panelFailed} onRetry={retry} />
  if (!tables) return <LoadingState label={panel.title} />
  const isEmpty = !prepared.drawsEmpty && tables.every((table) => table.rows.length === 0)
  return (
    <Answered told={told}>
      {isEmpty ? (
        <EmptyState title={prepared.requests.length === 0 ? messages.asksNothing : messages.noData} />
      ) : (
        <div style={{ height: '100%', minHeight: 0 }} data-testid="panel-drawn">
          {prepared.draw(tables)}
        </div>
      )}
    </Answered>
  )
}

/** What was prepared, or why it could not be: a panel may hold what cannot be drawn. */
function tried(prepare: () => PreparedPanel): { readonly prepared?: PreparedPanel; readonly refused?: unknown } {
  try {
    return { prepared: prepare() }
  } catch (refused) {
    return { refused }
  }
}
