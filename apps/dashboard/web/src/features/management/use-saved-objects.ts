import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request, send } from '../../api/client.ts'
import { downloadFile } from '../../export/download.ts'

/** An object as the list of management shows it. */
export interface ListedObject {
  readonly type: string
  readonly id: string
  readonly updated_at?: string
  readonly meta: { readonly title: string }
}

/** What an import did, as the API says it. */
export interface ImportResult {
  readonly success: boolean
  readonly successCount: number
  readonly errors?: readonly ImportProblem[]
}

export interface ImportProblem {
  readonly type: string
  readonly id: string
  readonly title?: string
  readonly error: {
    readonly type: string
    readonly message?: string
    readonly references?: readonly { readonly type: string; readonly id: string }[]
  }
}

/** How conflicts are met. */
export type ConflictMode = 'keep' | 'overwrite' | 'copies'

const listKey = ['saved-objects']

/** All saved objects, by title. */
export function useListedObjects() {
  return useQuery({
    queryKey: [...listKey, 'management'],
    queryFn: ({ signal }) =>
      request<{ total: number; saved_objects: ListedObject[] }>('api/kibana/management/saved_objects/_find', {
        query: { perPage: '10000', sortField: 'title' },
        signal,
      }),
  })
}

/** Everything that was loaded from saved objects is loaded anew after a change. */
function useRefreshObjects(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all(
      [listKey, ['index-patterns'], ['dashboard'], ['fields']].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  }
}

/** Imports a file. */
export function useImport() {
  const refresh = useRefreshObjects()
  return useMutation({
    mutationFn: ({ file, mode }: { file: File; mode: ConflictMode }) => {
      const query = {
        ...(mode === 'overwrite' ? { overwrite: 'true' } : {}),
        ...(mode === 'copies' ? { createNewCopies: 'true' } : {}),
      }
      return request<ImportResult>('api/saved_objects/_import', { method: 'POST', query, body: formOf(file) })
    },
    onSuccess: refresh,
  })
}

/** Imports the objects of a file that were refused, all the same: over those that exist, and without what they refer to. */
export function useImportRefused() {
  const refresh = useRefreshObjects()
  return useMutation({
    mutationFn: ({ file, problems }: { file: File; problems: readonly ImportProblem[] }) => {
      const form = formOf(file)
      const retries = problems.map(({ type, id, error }) => ({
        type,
        id,
        ...(error.type === 'missing_references' ? { ignoreMissingReferences: true } : { overwrite: true }),
      }))
      form.set('retries', JSON.stringify(retries))
      return request<ImportResult>('api/saved_objects/_resolve_import_errors', { method: 'POST', body: form })
    },
    onSuccess: refresh,
  })
}

/** Deletes objects one after the other; the first failure ends it. */
export function useDeleteObjects() {
  const refresh = useRefreshObjects()
  return useMutation({
    mutationFn: async (objects: readonly ListedObject[]) => {
      for (const { type, id } of objects) {
        const path = `api/saved_objects/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
        await request(path, { method: 'DELETE' })
      }
    },
    onSettled: refresh,
  })
}

/** Downloads an export: the given objects, or all of them. */
export async function downloadExport(objects: readonly ListedObject[] | undefined): Promise<void> {
  const chosen = objects?.map(({ type, id }) => ({ type, id }))
  const json = { ...(chosen ? { objects: chosen } : { type: ['*'] }), includeReferencesDeep: true }
  const response = await send('api/saved_objects/_export', { method: 'POST', json })
  if (!response.ok) throw new Error(`export failed with status ${response.status}`)
  downloadFile('export.ndjson', await response.blob())
}

function formOf(file: File): FormData {
  const form = new FormData()
  form.set('file', file)
  return form
}
