import { AppError, searchErrors } from '@logstack/errors'
import type { AliasMeta, IndexMeta } from '../model/index-meta.ts'
import type { CatalogueState } from './catalogue-state.ts'
import { checkAliasName } from './index-names.ts'
import type { AliasTarget } from './resolve.ts'

/** One change of an alias on an index; without `meta` it is removed. */
export interface AliasChange {
  readonly index: IndexMeta
  readonly alias: string
  readonly meta: AliasMeta | undefined
}

const aliasKeys = ['filter', 'routing', 'index_routing', 'search_routing', 'is_write_index', 'is_hidden', 'must_exist']

/** An alias as a request or template has it: `routing` sets both routings. Throws `illegal_argument_exception` for unknown keys. */
export function parseAlias(name: string, body: unknown): AliasMeta {
  const given: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
  const unknown = Object.keys(given).find((key) => !aliasKeys.includes(key))
  if (unknown !== undefined)
    throw new AppError(searchErrors.illegal_argument_exception, `Unknown field [${unknown}] in alias [${name}]`)
  const { filter, routing, index_routing = routing, search_routing = routing, is_write_index, is_hidden } = given
  return {
    ...(typeof filter === 'object' && filter !== null ? { filter } : {}),
    ...(index_routing === undefined || index_routing === null ? {} : { index_routing: String(index_routing) }),
    ...(search_routing === undefined || search_routing === null ? {} : { search_routing: String(search_routing) }),
    ...(typeof is_write_index === 'boolean' ? { is_write_index } : {}),
    ...(typeof is_hidden === 'boolean' ? { is_hidden } : {}),
  }
}

/** Throws when an index may not carry these aliases: bad names, names of indices (but for those `leaving`) or data streams. */
export function checkAliases(
  state: CatalogueState,
  index: string,
  aliases: Iterable<string>,
  leaving: ReadonlySet<string> = new Set(),
): void {
  for (const alias of aliases) {
    checkAliasName(alias)
    const taken = state.byName.has(alias) && !leaving.has(alias)
    if (taken || state.streams.has(alias) || alias === index)
      throw new AppError(
        searchErrors.invalid_alias_name_exception,
        `Invalid alias name [${alias}]: an index or data stream exists with the same name as the alias`,
      )
  }
}

/** Throws `illegal_state_exception` when one alias would have two write indices after a change. */
export function checkWriteIndices(state: CatalogueState, changed: readonly IndexMeta[]): void {
  const names = new Set(changed.flatMap((index) => writtenAliases(index)))
  if (names.size === 0) return
  const after = new Map(state.byName)
  for (const index of changed) after.set(index.name, index)
  const writersOf = new Map<string, IndexMeta[]>()
  for (const index of after.values())
    for (const alias of writtenAliases(index)) {
      const writers = writersOf.get(alias)
      if (writers) writers.push(index)
      else if (names.has(alias)) writersOf.set(alias, [index])
    }
  for (const [alias, writers] of writersOf) {
    // The backing indices of a data stream carry its aliases alike; the stream knows which one is written to.
    if (writers.length < 2 || writers.every((index) => index.dataStream === writers[0]?.dataStream && index.dataStream))
      continue
    const shown = writers.map((index) => index.name).sort()
    throw new AppError(
      searchErrors.illegal_state_exception,
      `alias [${alias}] has more than one write index [${shown.join(',')}]`,
      { detail: { status: 500 } },
    )
  }
}

const writtenOf = new WeakMap<IndexMeta['aliases'], readonly string[]>()

/** The aliases whose write index it is. */
function writtenAliases({ aliases }: IndexMeta): readonly string[] {
  const known = writtenOf.get(aliases)
  if (known !== undefined) return known
  const names = Object.keys(aliases).filter((alias) => aliases[alias]?.is_write_index === true)
  writtenOf.set(aliases, names)
  return names
}

/** The indices as they are after the changes, each once; `removed` ones go with the same change. */
export function applyAliasChanges(
  state: CatalogueState,
  changes: readonly AliasChange[],
  removed: readonly IndexMeta[] = [],
): IndexMeta[] {
  const leaving = new Set(removed.map((index) => index.name))
  const changed = new Map<IndexMeta, Map<string, AliasMeta>>()
  for (const { index, alias, meta } of changes) {
    const current = state.byId.get(index.id)
    if (current === undefined || leaving.has(current.name)) continue
    if (meta !== undefined) checkAliases(state, current.name, [alias], leaving)
    const aliases = changed.get(current) ?? new Map(Object.entries(current.aliases))
    changed.set(current, aliases)
    aliases.delete(alias)
    if (meta !== undefined) aliases.set(alias, meta)
  }
  const result = [...changed].map(([index, aliases]) => ({ ...index, aliases: Object.fromEntries(aliases) }))
  checkWriteIndices(state, result)
  return result
}

/** The index an alias writes to. Throws `illegal_argument_exception` when there is none or it is not clear. */
export function writeIndexOf(alias: string, targets: readonly AliasTarget[]): IndexMeta {
  const writer = targets.find(({ meta }) => meta.is_write_index === true)
  if (writer !== undefined) return writer.index
  const only = targets.length === 1 ? targets[0] : undefined
  if (only !== undefined && only.meta.is_write_index !== false) return only.index
  throw new AppError(
    searchErrors.illegal_argument_exception,
    `no write index is defined for alias [${alias}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
  )
}
