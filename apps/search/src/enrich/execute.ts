import { AppError, searchErrors } from '@logstack/errors'
import { wholesAt } from '@logstack/rules'
import { filterSource } from '../dsl/source-choice.ts'
import { resolvedFields } from '../indices/resolved-fields.ts'
import { parseSource, writeSource } from '../json/source-json.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import { requireSource } from '../model/kept-source.ts'
import type { Store } from '../store/store.ts'
import { keyings } from './keys/index.ts'
import type { EnrichedField, Keying, TableShape } from './keys/keying.ts'
import { type EnrichPolicy, type EnrichVersion, enrichPolicies, requirePolicy } from './policy.ts'
import { dropVersions, newVersion, putRows } from './tables.ts'

/** The most documents of one table. */
export const enrichDocumentsMax = 10_000_000

/** The documents that a policy names, as they were at one moment, in batches. */
export interface PolicyDocuments {
  readonly total: number
  batches(): AsyncIterable<
    readonly { readonly index: Pick<IndexMeta, 'name' | 'mapping'>; readonly id: string; readonly source: Buffer }[]
  >
}

const locked = new WeakMap<Store, Set<string>>()

function locks(store: Store): Set<string> {
  const known = locked.get(store) ?? new Set()
  locked.set(store, known)
  return known
}

/** The policies that are executed now. */
export function executingPolicies(store: Store): readonly string[] {
  return [...locks(store)]
}

/** Keeps a policy to one change at a time. Throws `es_rejected_execution_exception` where one is under way. */
export async function withPolicyLock<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  const held = locks(store)
  if (held.has(name)) {
    const reason = `Could not obtain lock because policy execution for [${name}] is already in progress.`
    throw new AppError(searchErrors.es_rejected_execution_exception, reason)
  }
  held.add(name)
  try {
    return await work()
  } finally {
    held.delete(name)
  }
}

/** Checks that the indices of a policy have its fields; what the table must know of the match field. Throws `illegal_argument_exception`. */
export function checkMappings(policy: EnrichPolicy, indices: readonly IndexMeta[]): TableShape {
  const keying: Keying = keyings[policy.type]
  let shape: TableShape = {}
  for (const index of indices) {
    const fields = resolvedFields(index)
    const missing = [policy.match_field, ...policy.enrich_fields].find(
      (path) => !fields.has(path) && ![...fields.keys()].some((each) => each.startsWith(`${path}.`)),
    )
    if (missing !== undefined) {
      const reason = `Enrich policy validation failed: could not find field [${missing}] in the mapping of [${index.name}]`
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    const field = keying.fieldOf(policy.match_field, fields.get(policy.match_field))
    if (!field) continue
    const { path, wireType, valueType, parameters, sourcePath } = field
    const kept = { path, wireType, valueType, parameters, sourcePath }
    if (shape.field && JSON.stringify(shape.field) !== JSON.stringify(kept)) {
      const reason = `Multiple distinct mappings for match field '${path}' - indices: [${indices.map(({ name }) => name).join(', ')}]`
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    shape = { field: kept }
  }
  return { ...shape, enriched: policy.enrich_fields.map((path) => enrichedField(path, indices)) }
}

/** Parameters that say how values of documents are read. */
const readingParameters = ['format', 'scaling_factor'] as const

function enrichedField(path: string, indices: readonly IndexMeta[]): EnrichedField {
  const found = indices.map((index) => {
    const field = resolvedFields(index).get(path)
    const wireType = field?.wireType ?? 'object'
    const parameters = field?.parameters ?? {}
    const read = readingParameters.flatMap((name) => (name in parameters ? [[name, parameters[name]] as const] : []))
    return { path, wireType, parameters: Object.fromEntries(read) }
  })
  const [first, ...others] = found
  const isSame = first && others.every((each) => JSON.stringify(each) === JSON.stringify(first))
  return isSame ? first : { path, wireType: 'keyword', parameters: {} }
}

/**
 * Copies what a policy names into a new version of its table and shows that instead of the old one. `matching` are the documents as the one who
 * executes it may read them. Only under the policy's lock.
 */
export async function executePolicy(
  services: { readonly store: Store; readonly now: () => number },
  name: string,
  matching: PolicyDocuments,
  start: TableShape,
): Promise<EnrichVersion> {
  const { store, now } = services
  const { policy } = requirePolicy(store, name)
  if (matching.total > enrichDocumentsMax) {
    const reason = `policy [${name}] names ${matching.total} documents; a table has at most ${enrichDocumentsMax}`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  const id = await newVersion(store, name)
  try {
    const filled = await fill(store, id, policy, matching, start)
    const version = { id, executedAtMs: now(), ...filled }
    await store.transaction(() => enrichPolicies(store).put(name, { policy, version }))
    return version
  } finally {
    // The old one after it worked, the new one when it did not.
    await dropUnused(store, name)
  }
}

async function fill(
  store: Store,
  id: number,
  policy: EnrichPolicy,
  matching: PolicyDocuments,
  start: TableShape,
): Promise<{ readonly documents: number; readonly shape: TableShape }> {
  const keying: Keying = keyings[policy.type]
  const kept = { includes: [policy.match_field, ...policy.enrich_fields], excludes: [] }
  let shape = start
  let documents = 0
  for await (const batch of matching.batches()) {
    const rows = batch.map(({ index, id: document, source }) => {
      requireSource(index, document)
      const chosen = filterSource(parseSource(source), kept)
      const values = wholesAt(chosen, policy.match_field).flatMap(keying.values)
      return { values, json: writeSource(chosen).toString() }
    })
    const before = { at: documents, shape }
    shape = await store.transaction(() => putRows(store, id, keying, before, rows))
    documents += rows.length
  }
  return { documents, shape }
}

/** Drops versions of a policy that it does not show. */
async function dropUnused(store: Store, name: string): Promise<void> {
  const shown = enrichPolicies(store).get(name)?.version?.id
  await dropVersions(store, (id, policy) => policy === name && id !== shown)
}

/** Removes a policy and its table. */
export async function removePolicy(store: Store, name: string): Promise<void> {
  await store.transaction(() => enrichPolicies(store).remove(name))
  await dropUnused(store, name)
}

/** Drops what executions left behind that a crash cut off; before the first execution. */
export async function dropLeftVersions(store: Store): Promise<void> {
  const shown = new Set([...enrichPolicies(store).entries()].map(([, { version }]) => version?.id))
  await dropVersions(store, (id) => !shown.has(id))
}
