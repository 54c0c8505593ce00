import { archived } from '../cluster-settings/archive.ts'
import type { KeptSettings } from '../cluster-settings/change.ts'
import type { Store } from '../store/store.ts'
import type { GlobalState } from './format.ts'

/** What snapshots hold of the cluster. Users, roles, keys and repositories are not among it. */
const merged = ['template']
const replaced = ['index_template', 'component_template', 'ingest_pipeline', 'ilm_policy', 'slm_policy', 'script']
const settings = 'cluster_settings'

/** The state of the cluster as it is now. */
export function readGlobalState(store: Pick<Store, 'collection'>): GlobalState {
  const collections = [...merged, ...replaced].map((name) => [
    name,
    Object.fromEntries(store.collection<unknown>(name).entries()),
  ])
  const persistent = store.collection<unknown>(settings).get('persistent') ?? {}
  return { format: 1, collections: { ...Object.fromEntries(collections), [settings]: { persistent } } }
}

/**
 * Puts the state of a snapshot in place of the cluster's, as Elasticsearch does: legacy templates are added to those that are there, all else and the
 * persistent settings are replaced as a whole.
 */
export async function restoreGlobalState(store: Store, state: GlobalState): Promise<void> {
  await store.transaction(() => {
    for (const name of [...merged, ...replaced]) {
      const kept = store.collection<unknown>(name)
      const given = state.collections[name]
      // What a snapshot was made without knowing of stays as it is.
      if (!given) continue
      const leaving = replaced.includes(name) ? [...kept.entries()].map(([key]) => key) : []
      for (const key of leaving) if (!Object.hasOwn(given, key)) kept.remove(key)
      for (const [key, value] of Object.entries(given)) kept.put(key, value)
    }
    const persistent = (state.collections[settings]?.['persistent'] ?? {}) as KeptSettings
    store.collection<unknown>(settings).put('persistent', archived(persistent))
  })
}
