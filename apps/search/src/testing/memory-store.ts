import type { Collection, Store } from '../store/store.ts'

/** A store in memory for tests. */
export function memoryStore(): Store {
  const collections = new Map<string, Map<string, unknown>>()
  let changes = 0
  return {
    collection<T>(name: string): Collection<T> {
      const entries = collections.get(name) ?? new Map<string, unknown>()
      collections.set(name, entries)
      return {
        get: (key) => entries.get(key) as T | undefined,
        entries: () => [...entries].map(([key, value]) => [key, value as T] as const),
        firstKeys: (max) => [...entries.keys()].sort().slice(0, max),
        version: () => changes,
        changedSince: () => undefined,
        put: (key, value) => {
          changes += 1
          entries.set(key, value)
        },
        remove: (key) => {
          changes += 1
          entries.delete(key)
        },
      }
    },
    transaction: async (work) => work(),
    close: async () => undefined,
  }
}
