import type { SavedObject } from '@logstack/contracts'
import { useQuery } from '@tanstack/react-query'
import { request } from './client.ts'
import { takeEarly } from './early.ts'
import { loadIndexPatterns } from './index-patterns.ts'

/** A list of saved objects. */
export interface SavedObjectList {
  readonly total: number
  readonly saved_objects: readonly SavedObject[]
}

/** All objects of some types, ordered by title, with all their attributes or those that `fields` names: a thousand whole dashboards are tens of megabytes. */
export function findSavedObjects(
  types: readonly string[],
  { fields, signal }: { readonly fields?: readonly string[]; readonly signal?: AbortSignal },
): Promise<SavedObjectList> {
  const chosen = fields ? { fields: fields.join(',') } : {}
  return request('api/saved_objects/_find', { query: { type: types.join(','), per_page: '10000', ...chosen }, signal })
}

/** The index patterns, the Default first. */
export function useIndexPatterns() {
  return useQuery({
    queryKey: ['index-patterns'],
    queryFn: ({ signal }) => takeEarly(['index-patterns'], () => loadIndexPatterns(signal)),
  })
}
