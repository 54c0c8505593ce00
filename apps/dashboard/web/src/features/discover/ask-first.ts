import type { QueryClient } from '@tanstack/react-query'
import type { IndexPattern } from '../../api/index-patterns.ts'
import { whenSent } from '../../api/when-sent.ts'
import { readCharts } from '../../charts/chart.tsx'
import { openingTime } from '../../time/opening-time.ts'
import { defaultRange, resolveRange } from '../../time/time-range.ts'
import { readFilters } from '../../url-state/field-filters.ts'
import { askDocuments } from './use-discover.ts'
import { readQuery, readSort } from './use-discover-state.ts'

/** Asks for the documents of this address before the page is drawn; a saved search is read first, a query in ES|QL waits for the fields. */
export async function askFirst(client: QueryClient): Promise<void> {
  const patterns = client.getQueryData<IndexPattern[]>(['index-patterns'])
  const parameters = new URLSearchParams(window.location.search)
  const get = (name: string): string | undefined => parameters.get(name) ?? undefined
  const pattern = patterns?.find(({ id }) => id === get('index')) ?? patterns?.[0]
  const { query, language, esql } = readQuery(get)
  if (!pattern || parameters.has('saved') || esql !== undefined) return
  const range = { from: get('from') ?? defaultRange.from, to: get('to') ?? defaultRange.to }
  askDocuments(client, {
    pattern,
    query,
    language,
    filters: readFilters(get('filters')),
    time: { resolved: resolveRange(range, openingTime()), round: 0 },
    sort: readSort(get('sort')),
    base: { queries: [], clauses: [] },
  })
  await whenSent()
  readCharts()
}
