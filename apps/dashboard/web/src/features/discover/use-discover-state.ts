import type { SavedObject } from '@logstack/contracts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { request } from '../../api/client.ts'
import type { IndexPattern } from '../../api/index-patterns.ts'
import type { DocumentSort } from '../../documents/document-head.tsx'
import { readLanguage, writeLanguage } from '../../query/language.ts'
import { readFilters, writeFilters } from '../../url-state/field-filters.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { baseOf, type DiscoverState, stateOf } from './saved-search.ts'
import type { SearchBase } from './use-discover.ts'

/** Discover's state: in the address what a link should hold, with the saved search it names. */
export function useDiscoverState(pattern: IndexPattern): DiscoverState & {
  readonly saved: SavedObject | undefined
  readonly base: SearchBase
  readonly open: (saved: SavedObject) => void
  readonly resize: (column: string, width: number) => void
} {
  const url = useUrlState()
  const savedId = url.get('saved')
  const loaded = useQuery({
    queryKey: ['saved-search', savedId],
    queryFn: ({ signal }) =>
      request<SavedObject>(`api/saved_objects/search/${encodeURIComponent(savedId ?? '')}`, { signal }),
    enabled: savedId !== undefined,
  })
  const saved = savedId === undefined ? undefined : loaded.data
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({})
  const filterText = url.get('filters')
  const filters = useMemo(() => readFilters(filterText), [filterText])
  const columnText = url.get('columns')
  const columns = useMemo(() => (columnText ? columnText.split(',') : []), [columnText])
  const sortText = url.get('sort')
  const sort = useMemo(() => readSort(sortText), [sortText])
  const base = useMemo(() => baseOf(saved), [saved])
  const { set } = url
  const open = useCallback(
    (next: SavedObject, options: { replace?: boolean } = {}): void => {
      const state = stateOf(next)
      setWidths(state.widths)
      const patch = {
        saved: next.id,
        index: state.patternId,
        ...writeQuery(state),
        filters: writeFilters(state.filters),
        columns: state.columns.join(','),
        sort: state.sort && `${state.sort.field}:${state.sort.direction}`,
      }
      set(patch, options)
    },
    [set],
  )
  const isNamedOnly = ['index', 'language', 'query', 'filters', 'columns'].every((name) => url.get(name) === undefined)
  useEffect(() => {
    // A link that names a saved search alone means all of it.
    if (saved && isNamedOnly) open(saved, { replace: true })
  }, [saved, isNamedOnly, open])
  const resize = useCallback((column: string, width: number) => {
    setWidths((before) => ({ ...before, [column]: width }))
  }, [])
  return {
    patternId: pattern.id,
    ...readQuery((name) => url.get(name)),
    filters,
    columns,
    sort,
    widths,
    saved,
    base,
    open,
    resize,
  }
}

type AddressQuery = Pick<DiscoverState, 'query' | 'language' | 'esql'>

/** The query in the address, in the language it is said to be written in. */
export function readQuery(get: (name: string) => string | undefined): AddressQuery {
  const query = get('query') ?? ''
  if (get('language') === 'esql') return { query: '', language: 'kuery', esql: query }
  return { query, language: readLanguage(get('language')), esql: undefined }
}

/** The inverse of `readQuery`. */
function writeQuery({ query, language, esql }: AddressQuery): { query: string; language: string | undefined } {
  return esql === undefined ? { query, language: writeLanguage(language) } : { query: esql, language: 'esql' }
}

/** The order in the address. */
export function readSort(text: string | undefined): DocumentSort | undefined {
  const [, field, direction] = /^(.+):(asc|desc)$/.exec(text ?? '') ?? []
  return field === undefined ? undefined : { field, direction: direction === 'asc' ? 'asc' : 'desc' }
}
