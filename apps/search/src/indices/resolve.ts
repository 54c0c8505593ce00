import { AppError, searchErrors } from '@logstack/errors'
import type { AliasMeta, IndexMeta } from '../model/index-meta.ts'
import type { CatalogueState } from './catalogue-state.ts'
import { evaluateIndexName, matchesPattern, noSuchIndex } from './index-names.ts'

/** How index names in a path are read (`expand_wildcards`, `ignore_unavailable`, `allow_no_indices`). */
export interface ResolveOptions {
  readonly ignoreUnavailable: boolean
  readonly allowNoIndices: boolean
  readonly expand: readonly ('open' | 'closed' | 'hidden')[]
  /** Closed indices named directly are refused with `index_closed_exception`. */
  readonly forbidClosed: boolean
  /** Wildcards find indices by their own names only: a deletion must not reach what an alias leads to. */
  readonly ignoreAliases?: boolean
}

/** An index an expression led to, with the alias filter that applies when it was reached only through filtered aliases. */
export interface ResolvedIndex {
  readonly index: IndexMeta
  readonly aliasFilters: readonly unknown[]
}

/** Indices under one alias. */
export interface AliasTarget {
  readonly index: IndexMeta
  readonly meta: AliasMeta
}

/** What names lead to, worked out once for each version of the catalogue. */
export interface NameTable {
  aliases(): ReadonlyMap<string, readonly AliasTarget[]>
  resolve(expression: string, options: ResolveOptions): readonly ResolvedIndex[]
}

/** How an index was reached: `filters` is undefined once it was reached without a filter. */
type Reached = Map<string, { readonly index: IndexMeta; filters: unknown[] | undefined }>

const cachedExpressionsMax = 1000

function collectAliases(state: CatalogueState): Map<string, AliasTarget[]> {
  const aliases = new Map<string, AliasTarget[]>()
  for (const index of state.byName.values())
    for (const [name, meta] of Object.entries(index.aliases)) {
      const targets = aliases.get(name)
      if (targets === undefined) aliases.set(name, [{ index, meta }])
      else targets.push({ index, meta })
    }
  return aliases
}

function reach(reached: Reached, index: IndexMeta, filter?: unknown): void {
  const before = reached.get(index.name)
  if (before === undefined) reached.set(index.name, { index, filters: filter === undefined ? undefined : [filter] })
  else if (filter === undefined) before.filters = undefined
  else before.filters?.push(filter)
}

/** One expression being resolved. */
class Resolution {
  readonly reached: Reached = new Map()
  private wildcardSeen = false
  /** How often an index was reached, again and again counted. */
  private touched = 0
  private readonly state: CatalogueState
  private readonly aliases: ReadonlyMap<string, readonly AliasTarget[]>
  private readonly options: ResolveOptions

  constructor(state: CatalogueState, aliases: ReadonlyMap<string, readonly AliasTarget[]>, options: ResolveOptions) {
    this.state = state
    this.aliases = aliases
    this.options = options
  }

  private reach(index: IndexMeta, filter?: unknown): void {
    this.touched++
    reach(this.reached, index, filter)
  }

  add(token: string): void {
    if (token.startsWith('-') && this.wildcardSeen) this.exclude(token.slice(1))
    else if (token === '_all' || token === '' || token.includes('*')) {
      this.wildcardSeen = true
      const before = this.touched
      this.expand(token === '_all' || token === '' ? '*' : token)
      // Without `allow_no_indices` each pattern must find something, not only all of them together.
      if (this.touched === before && !this.options.allowNoIndices) throw noSuchIndex(token === '' ? '_all' : token)
    } else this.addName(token)
  }

  private exclude(pattern: string): void {
    for (const [name, { index }] of this.reached) {
      const streamMatches = index.dataStream !== undefined && matchesPattern(pattern, index.dataStream)
      const aliasMatches = Object.keys(index.aliases).some((alias) => matchesPattern(pattern, alias))
      if (matchesPattern(pattern, name) || streamMatches || aliasMatches) this.reached.delete(name)
    }
  }

  private allows(index: IndexMeta): boolean {
    return this.options.expand.includes(index.state === 'open' ? 'open' : 'closed')
  }

  private expand(pattern: string): void {
    const shows = (name: string, hidden: boolean): boolean =>
      !hidden || this.options.expand.includes('hidden') || (pattern.startsWith('.') && name.startsWith('.'))
    for (const index of this.state.byName.values())
      if (shows(index.name, index.hidden) && matchesPattern(pattern, index.name) && this.allows(index))
        this.addFound(index)
    for (const [name, targets] of this.options.ignoreAliases === true ? [] : this.aliases)
      for (const { index, meta } of targets)
        if (matchesPattern(pattern, name) && shows(name, meta.is_hidden === true) && this.allows(index))
          this.addFound(index, meta.filter)
    for (const stream of this.state.streams.values())
      if (matchesPattern(pattern, stream.name) && shows(stream.name, stream.hidden))
        this.addStream(stream.indices, false)
  }

  private addStream(names: readonly string[], named: boolean): void {
    for (const name of names) {
      const index = this.state.byName.get(name)
      if (index !== undefined && (named || this.allows(index))) this.addFound(index)
    }
  }

  private addName(name: string): void {
    const index = this.state.byName.get(name)
    const targets = this.aliases.get(name)
    const stream = this.state.streams.get(name)
    if (index !== undefined) this.addFound(index)
    else if (targets !== undefined && this.passesOverAliases()) return
    else if (targets !== undefined) for (const target of targets) this.addFound(target.index, target.meta.filter)
    else if (stream !== undefined) this.addStream(stream.indices, true)
    else if (name.startsWith('_'))
      throw new AppError(
        searchErrors.invalid_index_name_exception,
        `Invalid index name [${name}], must not start with '_'.`,
        { detail: { index_uuid: '_na_', index: name } },
      )
    else if (!this.options.ignoreUnavailable) throw noSuchIndex(name)
  }

  /** Where only indices are meant, an alias is nothing that is there. */
  private passesOverAliases(): boolean {
    return this.options.ignoreAliases === true && this.options.ignoreUnavailable
  }

  private addFound(index: IndexMeta, filter?: unknown): void {
    if (index.state === 'close' && this.options.forbidClosed) {
      if (!this.options.ignoreUnavailable) throw closedIndex(index)
      return
    }
    this.reach(index, filter)
  }
}

/** The error of an index that is closed. */
export function closedIndex(index: IndexMeta): AppError {
  return new AppError(searchErrors.index_closed_exception, 'closed', {
    detail: { index_uuid: index.uuid, index: index.name },
  })
}

/** Names of a catalogue, read by its current state. `now` is for date math in names. */
export function createNameTable(state: CatalogueState, now: () => number): NameTable {
  let version = -1
  let aliases: ReadonlyMap<string, readonly AliasTarget[]> = new Map()
  const known = new Map<string, readonly ResolvedIndex[]>()

  function refresh(): void {
    if (version === state.version) return
    version = state.version
    aliases = collectAliases(state)
    known.clear()
  }

  function resolve(expression: string, options: ResolveOptions): readonly ResolvedIndex[] {
    const resolution = new Resolution(state, aliases, options)
    for (const token of expression.split(',')) {
      const negated = token.startsWith('-<')
      const name = evaluateIndexName(negated ? token.slice(1) : token, now())
      resolution.add(negated ? `-${name}` : name)
    }
    const found = [...resolution.reached.values()].sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    if (found.length === 0 && !options.allowNoIndices) throw noSuchIndex(expression === '' ? '_all' : expression)
    return found.map(({ index, filters }) => ({ index, aliasFilters: filters ?? [] }))
  }

  return {
    aliases() {
      refresh()
      return aliases
    },
    resolve(expression, options) {
      refresh()
      if (expression.includes('<')) return resolve(expression, options)
      const flags = `${options.ignoreAliases === true} ${options.ignoreUnavailable}${options.allowNoIndices}${options.forbidClosed}`
      const key = `${flags} ${options.expand.join(' ')} ${expression}`
      const before = known.get(key)
      if (before !== undefined) return before
      const resolved = resolve(expression, options)
      if (known.size >= cachedExpressionsMax) known.clear()
      known.set(key, resolved)
      return resolved
    },
  }
}
