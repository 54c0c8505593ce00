import type { Json } from '../kibana/saved-json.ts'
import type { FieldFilter } from '../url-state/field-filters.ts'
import { filterClause } from './build-query.ts'

/** A filter as Kibana keeps it; the inverse of `fieldFilterOf`. */
export function savedFilterOf(filter: FieldFilter): Json {
  const { negate = false, disabled = false, pinned = false, control: _control, ...positive } = filter
  const type = filter.values ? 'phrases' : filter.range ? 'range' : filter.value === undefined ? 'exists' : 'phrase'
  const meta = { key: filter.field, type, negate, disabled, alias: null }
  const store = pinned ? 'globalState' : 'appState'
  return { meta, query: filterClause(positive) as Json, $state: { store } }
}
