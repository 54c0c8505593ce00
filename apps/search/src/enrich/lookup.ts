import { wholesAt } from '@logstack/rules'
import { parseSource } from '../json/source-json.ts'
import { unfit } from '../refusals/unfit.ts'
import type { Store } from '../store/store.ts'
import { keyings } from './keys/index.ts'
import type { Keying } from './keys/keying.ts'
import { enrichPolicies, type StoredEnrichPolicy } from './policy.ts'
import { placesUnder, readRows, rowAt } from './tables.ts'

type Document = Record<string, unknown>

/** Policies as processors see them. */
export interface EnrichTables {
  /** Throws `illegal_argument_exception` for a policy that was not executed. */
  require(policy: string): Keying
  /** Documents for a value, at most `max`, in the order of their indices. Throws for a value that cannot be looked up. */
  find(policy: string, value: unknown, max: number): Document[]
}

/** How often policies were asked since the start. */
export interface EnrichCounts {
  lookups: number
}

const counts = new WeakMap<object, EnrichCounts>()

/** The counters of a store's tables. */
export function enrichCounts(store: object): EnrichCounts {
  const known = counts.get(store) ?? { lookups: 0 }
  counts.set(store, known)
  return known
}

/** The tables of the policies of a store; `owner` is what the lookups are counted under. */
export function enrichTables(store: Pick<Store, 'collection'>, owner: object): EnrichTables {
  const policies = enrichPolicies(store)
  const executed = (name: string): Required<StoredEnrichPolicy> => {
    const found = policies.get(name)
    if (found?.version) return { policy: found.policy, version: found.version }
    throw unfit(`no enrich index exists for policy with name [${name}]`)
  }
  return {
    require: (name) => keyings[executed(name).policy.type],
    find(name, value, max) {
      const { policy, version } = executed(name)
      const keying: Keying = keyings[policy.type]
      const values = keying.values(value)
      enrichCounts(owner).lookups += 1
      const keys = values.flatMap((each) => keying.lookupKeys(each, version.shape))
      const found: Document[] = []
      for (const json of readRows(store, version.id, keys)) {
        const document = parseSource(Buffer.from(json))
        if (isMeant(keying, document, policy.match_field, values)) found.push(document)
        if (found.length >= max) break
      }
      return found
    },
  }
}

/** One version of a policy's table, for many lookups. */
export interface EnrichReader extends Required<StoredEnrichPolicy> {
  readonly keying: Keying
  /** The numbers of the documents for values that were read (`keying.values`), in the order of their indices. Throws for a value that cannot be looked up. */
  places(values: readonly unknown[]): readonly number[]
  /** A document by its number; the same one for the same number. */
  document(at: number): Document
}

/** Reads the table of a policy; undefined where it was not executed, or before tables knew the types of their fields. */
export function enrichReader(
  store: Pick<Store, 'collection'>,
  { policy, version }: StoredEnrichPolicy,
): EnrichReader | undefined {
  if (version?.shape.enriched === undefined) return undefined
  const keying: Keying = keyings[policy.type]
  const documents = new Map<number, Document>()
  const document = (at: number) => {
    const known = documents.get(at) ?? parseSource(Buffer.from(rowAt(store, version.id, at) ?? '{}'))
    documents.set(at, known)
    return known
  }
  return {
    policy,
    version,
    keying,
    document,
    places(values) {
      const keys = values.flatMap((each) => keying.lookupKeys(each, version.shape))
      const found = placesUnder(store, version.id, keys)
      return keying.holds ? found.filter((at) => isMeant(keying, document(at), policy.match_field, values)) : found
    },
  }
}

function isMeant(keying: Keying, document: Document, path: string, values: readonly unknown[]): boolean {
  const { holds } = keying
  if (!holds) return true
  const own = wholesAt(document, path).flatMap(keying.values)
  return values.some((value) => holds(own, value))
}

/** Without policies: none was executed. */
export const noEnrichTables: EnrichTables = {
  require: (name) => {
    throw unfit(`no enrich index exists for policy with name [${name}]`)
  },
  find: () => [],
}
