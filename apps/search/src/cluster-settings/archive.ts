import { isAppError } from '@logstack/errors'
import type { Store } from '../store/store.ts'
import type { KeptSettings } from './change.ts'
import { listMembers } from './read.ts'
import { changeableKind } from './registry.ts'

const prefix = 'archived.'

/** Whether a setting that was kept is one that may be set today. */
function stands(name: string, value: string): boolean {
  try {
    const kind = changeableKind(name)
    kind?.check(name, kind.isList ? listMembers(value).join(',') : value)
    return kind !== undefined
  } catch (thrown) {
    if (isAppError(thrown) || thrown instanceof SyntaxError) return false
    throw thrown
  }
}

/** Settings with what is not known or no value any more under `archived.`, as Elasticsearch keeps what an older version took. */
export function archived(settings: KeptSettings): KeptSettings {
  const shown = Object.entries(settings).map(([name, value]) => [
    name.startsWith(prefix) || stands(name, value) ? name : prefix + name,
    value,
  ])
  return Object.fromEntries(shown)
}

/** Archives settings of the cluster that an older version took; gives back their names. */
export async function archiveClusterSettings(store: Store): Promise<readonly string[]> {
  const kept = store.collection<KeptSettings>('cluster_settings')
  const changes = [...kept.entries()].map(([kind, before]) => ({ kind, before, after: archived(before) }))
  const names = changes.flatMap(({ before, after }) =>
    Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
  )
  if (names.length > 0)
    await store.transaction(() => {
      for (const { kind, after } of changes) kept.put(kind, after)
    })
  return names
}
