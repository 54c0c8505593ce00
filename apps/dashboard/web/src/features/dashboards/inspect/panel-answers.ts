import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { csvOf } from '../../../export/csv.ts'
import type { PanelAnswer } from '../answers/panel-answer.ts'
import type { Table } from '../model/table.ts'

/** What the searches of a panel were told last, and again whenever one is told anew; none for panels without data and while they load. */
export function usePanelAnswers(panelId: string): PanelAnswer[] {
  const cache = useQueryClient().getQueryCache()
  const active = () => cache.findAll({ queryKey: ['panel', panelId], type: 'active' })
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  useSyncExternalStore(subscribe, () =>
    active()
      .map(({ queryHash, state }) => `${queryHash} ${state.dataUpdatedAt}`)
      .join(),
  )
  return active().flatMap(({ state }) => (state.data === undefined ? [] : [state.data as PanelAnswer]))
}

/** A table as CSV: numbers as they are, instants in ISO 8601. */
export function tableCsv({ columns, rows }: Table): string {
  return csvOf(
    columns.map(({ label }) => label),
    rows.map((row) =>
      columns.map(({ id, type }) => {
        const value = row[id]
        return type === 'date' && typeof value === 'number' ? new Date(value).toISOString() : value
      }),
    ),
  )
}
