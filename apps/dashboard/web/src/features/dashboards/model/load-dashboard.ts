import type { SavedObject } from '@logstack/contracts'
import { request } from '../../../api/client.ts'
import { sharedFields } from '../../../query/shared-fields.ts'
import { dataSourceOf, loadReferenced, type ObjectMap } from './objects.ts'

/** A dashboard and everything it points at. */
export interface LoadedDashboard {
  readonly saved: SavedObject
  readonly loaded: ObjectMap
}

/** Loads a dashboard, and asks for the fields of its patterns on the way: no panel can ask its own question before. */
export async function loadDashboard(id: string, signal?: AbortSignal): Promise<LoadedDashboard> {
  const saved = await request<SavedObject>(`api/saved_objects/dashboard/${encodeURIComponent(id)}`, { signal })
  const loaded = await loadReferenced(saved, signal)
  const views = [...loaded.values()].filter(({ type }) => type === 'index-pattern')
  for (const view of views) sharedFields(dataSourceOf(view.id, loaded).index).catch(() => undefined)
  return { saved, loaded }
}
