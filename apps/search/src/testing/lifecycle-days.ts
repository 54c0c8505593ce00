import { parsePolicy, policiesOf } from '../lifecycle/ilm/policies.ts'
import type { TestServices } from './search-services.ts'

export const dayMs = 86_400_000
/** The day from which the tests of what grows old count. */
export const startMs = Date.UTC(2026, 0, 1)
/** Of events that have a time. */
export const timedMappings = { properties: { '@timestamp': { type: 'date' }, n: { type: 'long' } } }

/** `startMs` and so many days, as events write it. */
export function dayText(days: number): string {
  return new Date(startMs + days * dayMs).toISOString()
}

/** What tests of things that grow old do with the services of their file, whose clock they set. */
export function growingOld(services: () => TestServices, now: () => number) {
  return {
    /** The names of all indices, in their order. */
    names: () => [...services().catalogue.indices()].map(({ name }) => name).sort(),
    /** Puts a policy, the next version of it where there is one. */
    async putPolicy(name: string, phases: object): Promise<void> {
      const { store } = services()
      const version = (policiesOf(store).get(name)?.version ?? 0) + 1
      const stored = { version, modified_date: new Date(now()).toISOString(), policy: parsePolicy({ phases }) }
      await store.transaction(() => policiesOf(store).put(name, stored))
    },
    /** Writes an event of each day, and waits until all are shown. */
    async events(index: string, days: readonly number[], action: 'index' | 'create' = 'index'): Promise<void> {
      const { documents, catalogue } = services()
      const operations = days.map((at, n) => {
        const source = Buffer.from(JSON.stringify({ '@timestamp': dayText(at), n }))
        return { action, index, id: `${index} ${at} ${n}`, source }
      })
      for (const result of await documents.apply(operations)) if ('error' in result) throw result.error
      await documents.shown([...catalogue.indices()].map(({ table }) => table))
    },
  }
}
