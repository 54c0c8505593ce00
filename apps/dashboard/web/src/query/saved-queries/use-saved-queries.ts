import type { SavedObject } from '@logstack/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../../api/client.ts'
import { findSavedObjects } from '../../api/saved-objects.ts'
import { type AskedQuery, type SavedQuery, savedQueryAttributes, savedQueryOf } from './saved-query.ts'

const path = (id: string): string => `api/saved_objects/query/${encodeURIComponent(id)}`

/** The saved queries, by title. */
export function useSavedQueries() {
  return useQuery({
    queryKey: ['saved-objects', 'query'],
    queryFn: async ({ signal }) => (await findSavedObjects(['query'], { signal })).saved_objects.map(savedQueryOf),
  })
}

function useChange<Given>(change: (given: Given) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ['saved-objects'] }),
  })
}

/** Saves what is asked for under a name; in place of `replaced` where that is given. */
export function useSaveQuery() {
  return useChange(
    ({ title, asked, replaced }: { title: string; asked: AskedQuery; replaced: SavedQuery | undefined }) =>
      request<SavedObject>(path(replaced?.id ?? crypto.randomUUID()), {
        method: 'POST',
        query: replaced ? { overwrite: 'true' } : {},
        json: { attributes: savedQueryAttributes(title, asked) },
      }),
  )
}

/** Gives a saved query another name; all else of it stays. */
export function useRenameQuery() {
  return useChange(({ id, title }: { id: string; title: string }) =>
    request(path(id), { method: 'PUT', json: { attributes: { title } } }),
  )
}

/** Deletes a saved query. */
export function useDeleteQuery() {
  return useChange((id: string) => request(path(id), { method: 'DELETE' }))
}
