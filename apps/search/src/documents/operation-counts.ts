import type { IndexMeta } from '../model/index-meta.ts'
import type { WriteResult } from './documents.ts'

/** How often something was done, and how long all of it took. */
export interface Tally {
  count: number
  timeMs: number
}

/** What was done to one index since search started. */
export interface OperationCounts {
  readonly index: Tally
  readonly delete: Tally
  indexFailed: number
  noopUpdates: number
  readonly getFound: Tally
  readonly getMissing: Tally
  readonly query: Tally
  /** Searches by the names they gave themselves under `stats`. */
  readonly groups: Map<string, Tally>
  readonly refresh: Tally
  readonly flush: Tally
  readonly merge: Tally
}

function noTally(): Tally {
  return { count: 0, timeMs: 0 }
}

function noCounts(): OperationCounts {
  return {
    index: noTally(),
    delete: noTally(),
    indexFailed: 0,
    noopUpdates: 0,
    getFound: noTally(),
    getMissing: noTally(),
    query: noTally(),
    groups: new Map(),
    refresh: noTally(),
    flush: noTally(),
    merge: noTally(),
  }
}

function add(tally: Tally, timeMs: number, count = 1): void {
  tally.count += count
  tally.timeMs += timeMs
}

/** Names of search groups that are counted for an index; more would be somebody's mistake. */
const groupsMax = 1000

/** Counts of all indices since the start, in memory, as Elasticsearch's are. */
export class OperationCounters {
  readonly #counts = new Map<number, OperationCounts>()

  /** What was done to an index. */
  of(index: Pick<IndexMeta, 'id'>): OperationCounts {
    const known = this.#counts.get(index.id)
    if (known) return known
    const made = noCounts()
    this.#counts.set(index.id, made)
    return made
  }

  /** Forgets indices that are gone. */
  keepOnly(exists: (id: number) => boolean): void {
    for (const id of this.#counts.keys()) if (!exists(id)) this.#counts.delete(id)
  }

  /** Counts writes that were answered together after `timeMs`. */
  written(
    results: readonly WriteResult[],
    indexOf: (name: string) => Pick<IndexMeta, 'id'> | undefined,
    timeMs: number,
  ): void {
    const each = results.length === 0 ? 0 : timeMs / results.length
    for (const result of results) {
      const index = indexOf(result.index)
      if (!index) continue
      const counts = this.of(index)
      if ('error' in result) counts.indexFailed++
      else if (result.result === 'noop') counts.noopUpdates++
      else if (result.result === 'deleted' || result.result === 'not_found') add(counts.delete, each)
      else add(counts.index, each)
    }
  }

  /** Counts a read by id. */
  got(index: Pick<IndexMeta, 'id'>, found: boolean, timeMs: number): void {
    const counts = this.of(index)
    add(found ? counts.getFound : counts.getMissing, timeMs)
  }

  /** Counts a search over indices; `groups` are the names it gave itself. */
  searched(indices: Iterable<Pick<IndexMeta, 'id'>>, groups: readonly string[], timeMs: number): void {
    for (const index of indices) {
      const counts = this.of(index)
      add(counts.query, timeMs)
      for (const name of groups) {
        const group = counts.groups.get(name) ?? noTally()
        if (!counts.groups.has(name) && counts.groups.size >= groupsMax) continue
        counts.groups.set(name, group)
        add(group, timeMs)
      }
    }
  }

  /** Counts upkeep of indices. */
  kept(kind: 'refresh' | 'flush' | 'merge', indices: Iterable<Pick<IndexMeta, 'id'>>): void {
    for (const index of indices) add(this.of(index)[kind], 0)
  }
}

const made = new WeakMap<object, OperationCounters>()

/** The counters of one running search. */
export function operationCounters(services: { readonly catalogue: object }): OperationCounters {
  const known = made.get(services.catalogue)
  if (known) return known
  const counters = new OperationCounters()
  made.set(services.catalogue, counters)
  return counters
}
