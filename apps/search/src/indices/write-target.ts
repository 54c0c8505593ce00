import { AppError, searchErrors } from '@logstack/errors'
import type { IndexMeta } from '../model/index-meta.ts'
import { writeIndexOf } from './aliases.ts'
import type { WriteTarget } from './catalogue.ts'
import type { CatalogueState } from './catalogue-state.ts'
import { closedIndex, type NameTable } from './resolve.ts'

/** The index or stream a name writes to; undefined when nothing has that name. */
export function findTarget(
  state: CatalogueState,
  names: NameTable,
  name: string,
  requireAlias: boolean,
): WriteTarget | undefined {
  const targets = names.aliases().get(name)
  if (targets !== undefined) {
    const index = openIndex(writeIndexOf(name, targets))
    return { index, dataStream: index.dataStream }
  }
  if (requireAlias)
    throw new AppError(
      searchErrors.index_not_found_exception,
      `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
      { detail: { index_uuid: '_na_', index: name } },
    )
  const index = state.byName.get(name)
  if (index !== undefined) return { index: openIndex(index), dataStream: undefined }
  const stream = state.streams.get(name)
  const writer = state.byName.get(stream?.indices.at(-1) ?? '')
  return writer === undefined ? undefined : { index: openIndex(writer), dataStream: name }
}

function openIndex(index: IndexMeta): IndexMeta {
  if (index.state === 'close') throw closedIndex(index)
  return index
}
