import type { SavedObject } from '@logstack/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../../api/client.ts'
import { useLeaveWarning } from '../../../shell/use-leave-warning.ts'

/** A dashboard while it is edited. */
export interface Draft {
  /** The dashboard with all changes; absent while nobody edits. */
  readonly object: SavedObject | undefined
  readonly isChanged: boolean
  start(): void
  change(next: SavedObject): void
  /** Ends editing and forgets the changes. */
  end(): void
}

/** Holds the changes of a dashboard until they are saved; the browser asks before a page with changes is left. */
export function useDraft(saved: SavedObject, startNow: boolean): Draft {
  const [object, setObject] = useState<SavedObject | undefined>(startNow ? saved : undefined)
  const isChanged = object !== undefined && object !== saved
  useLeaveWarning(isChanged)
  return { object, isChanged, start: () => setObject(saved), change: setObject, end: () => setObject(undefined) }
}

/** Stores a dashboard, over the one with its id or as a new one, and answers what is stored. */
export function useSaveDashboard() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ object, isNew }: { object: SavedObject; isNew: boolean }) => {
      const { attributes, references } = object
      const path = `api/saved_objects/dashboard/${encodeURIComponent(object.id)}`
      // Written whole: what an attribute's removal means must not depend on what is stored.
      const query = isNew ? {} : { overwrite: 'true' }
      const { coreMigrationVersion, typeMigrationVersion } = object as {
        coreMigrationVersion?: string
        typeMigrationVersion?: string
      }
      return request<SavedObject>(path, {
        method: 'POST',
        query,
        json: { attributes, references, coreMigrationVersion, typeMigrationVersion },
      })
    },
    onSuccess: async (stored) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['saved-objects'] }),
        client.invalidateQueries({ queryKey: ['dashboard', stored.id] }),
      ])
    },
  })
}

/** Deletes a dashboard. */
export function useDeleteDashboard() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => request(`api/saved_objects/dashboard/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['saved-objects'] }),
  })
}
