import { AppError, searchErrors } from '@logstack/errors'
import type { DataStreamMeta, IndexMeta } from '../model/index-meta.ts'
import { checkAliases, checkWriteIndices } from './aliases.ts'
import type { RestoredIndexRequest } from './catalogue.ts'
import type { CatalogueState } from './catalogue-state.ts'
import { checkNewIndex, makeIndex, type NewIndexContext, purgeOf } from './new-index.ts'

function cannotRestore(reason: string): AppError {
  return new AppError(searchErrors.snapshot_restore_exception, reason)
}

/** The closed index that a restored one takes the place of; undefined when there is none. Throws when the name is taken otherwise. */
function replacedBy(state: CatalogueState, name: string): IndexMeta | undefined {
  const existing = state.byName.get(name)
  if (existing === undefined) {
    checkNewIndex(state, name)
    return undefined
  }
  if (existing.state === 'open')
    throw cannotRestore(
      `cannot restore index [${name}] because an open index with same name already exists in the cluster. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name`,
    )
  if (existing.dataStream !== undefined)
    throw cannotRestore(`cannot restore index [${name}] because it is a backing index of [${existing.dataStream}]`)
  return existing
}

/** Makes the records of indices to be restored. Only inside `exclusive`. */
export async function prepareRestored(
  state: CatalogueState,
  context: NewIndexContext,
  requests: readonly RestoredIndexRequest[],
): Promise<IndexMeta[]> {
  for (const { name } of requests) replacedBy(state, name)
  const made: IndexMeta[] = []
  try {
    for (const request of requests) {
      const { createdAtMs } = request
      const index = await makeIndex(state, context, request, undefined)
      const restored = {
        ...index,
        createdAtMs,
        settings: { ...index.settings, creation_date: String(createdAtMs) },
      }
      // Counted with those of its table, so that many of them share a slot as they would have done one by one.
      state.arriving.set(restored.id, restored)
      made.push(restored)
    }
    return made
  } catch (thrown) {
    for (const { id } of made) state.arriving.delete(id)
    throw thrown
  }
}

/** Puts restored indices and data streams into the catalogue, in place of closed ones of their names. Only inside `exclusive`. */
export async function addRestored(
  state: CatalogueState,
  indices: readonly IndexMeta[],
  streams: readonly DataStreamMeta[],
): Promise<void> {
  const replaced = indices.flatMap(({ name }) => replacedBy(state, name) ?? [])
  const leaving = new Set(replaced.map(({ name }) => name))
  const names = new Set([...indices, ...streams].map(({ name }) => name))
  for (const { name, aliases } of indices) {
    checkAliases(state, name, Object.keys(aliases), leaving)
    const own = Object.keys(aliases).find((alias) => names.has(alias))
    if (own !== undefined) throw cannotRestore(`cannot restore alias [${own}]: an index of that name is restored, too`)
  }
  for (const { name } of streams) {
    if (state.streams.has(name) || state.byName.has(name))
      throw cannotRestore(`cannot restore data stream [${name}] because the cluster already has something of that name`)
  }
  checkWriteIndices(state, indices)
  await state.commit({ indices, streams, removedIndices: replaced, purges: replaced.map(purgeOf) })
  for (const { id } of indices) state.arriving.delete(id)
}
