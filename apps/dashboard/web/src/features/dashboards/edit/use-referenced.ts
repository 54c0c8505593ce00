import type { SavedObject } from '@logstack/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { loadReferenced, type ObjectMap } from '../model/objects.ts'

const none: ObjectMap = new Map()

/** The objects a dashboard points at: those that are loaded, and those that editing brought in. */
export function useReferenced(dashboard: SavedObject, loaded: ObjectMap): ObjectMap {
  const missing = dashboard.references.filter(({ type, id }) => !loaded.has(`${type}:${id}`))
  const added = useQuery({
    queryKey: ['referenced', missing.map(({ type, id }) => `${type}:${id}`)],
    queryFn: ({ signal }) => loadReferenced({ ...dashboard, references: missing }, signal),
    enabled: missing.length > 0,
    placeholderData: keepPreviousData,
  })
  const objects = added.data ?? none
  return useMemo(() => (objects.size === 0 ? loaded : new Map([...loaded, ...objects])), [loaded, objects])
}
