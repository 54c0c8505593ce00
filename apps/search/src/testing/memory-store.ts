import type { Collection, Store } from '../indices/store.ts'

/** A store in memory for tests. */
export function memoryStore(): Store {
  const collections = new Map<string, Map<string, unknown>>()
  return {
    collection<T>(name: string): Collection<T> {
      const entries = collections.get(name) ?? new Map<string, unknown>()
      collections.set(name, entries)
      return {
        get: (key) => entries.get(key) as T | undefined,
        entries: () => [...entries].map(([key, value]) => [key, value as T] as const),
        firstKeys: (max) => [...entries.keys()].sort().slice(0, max),
        put: (key, value) => void entries.set(key, value),
        remove: (key) => void entries.delete(key),
      }
    },
    transaction: async (work) => work(),
    close: async () => undefined,
  }
}
