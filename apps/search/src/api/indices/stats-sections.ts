import type { OperationCounts, Tally } from '../../documents/operation-counts.ts'
import { nameMatcher } from '../resources/show-index.ts'
import { type FieldBytes, type HeldFields, joinHeldFields } from './field-bytes.ts'

/** What is known of an index, or of several together. */
export interface Figures {
  readonly documents: number
  readonly deleted: number
  readonly bytes: number
  /** What an open index is said to consist of: its rows are one segment, and none where there are none (see `_segments`). */
  readonly segments: number
  readonly counts: readonly OperationCounts[]
  /** Operations that only the log has yet, and its bytes. */
  readonly pending: { readonly operations: number; readonly bytes: number }
  /** Open scrolls and points in time. */
  readonly openContexts: number
  /** Search groups to show, by name patterns; undefined: none. */
  readonly groups: readonly string[] | undefined
  /** What columns hold of fields that Elasticsearch has in memory; absent where nobody asked. */
  readonly held?: HeldFields
  /** Name patterns of fields that are shown one by one. */
  readonly heldShown?: { readonly fielddata: readonly string[]; readonly completion: readonly string[] }
}

/** One section of statistics. */
export type StatsSection = Readonly<Record<string, unknown>>

interface SectionType {
  readonly name: string
  readonly show: (figures: Figures) => StatsSection
}

function total({ counts }: Figures, of: (counts: OperationCounts) => Tally): Tally {
  const sum = { count: 0, timeMs: 0 }
  for (const each of counts) {
    const tally = of(each)
    sum.count += tally.count
    sum.timeMs += tally.timeMs
  }
  return { count: sum.count, timeMs: Math.round(sum.timeMs) }
}

function sum({ counts }: Figures, of: (counts: OperationCounts) => number): number {
  return counts.reduce((all, each) => all + of(each), 0)
}

const timed = (name: string, { count, timeMs }: Tally): StatsSection => ({
  [`${name}_total`]: count,
  [`${name}_time_in_millis`]: timeMs,
  [`${name}_current`]: 0,
})

const nothing: Tally = { count: 0, timeMs: 0 }

function searchSection(figures: Figures): StatsSection {
  const query = total(figures, (counts) => counts.query)
  // Reading the found documents is part of one statement with finding them.
  const shown = {
    ...timed('query', query),
    ...timed('fetch', nothing),
    ...timed('scroll', nothing),
    ...timed('suggest', nothing),
  }
  return { open_contexts: figures.openContexts, ...shown, ...groupsOf(figures) }
}

function groupsOf(figures: Figures): StatsSection {
  if (figures.groups === undefined) return {}
  const wanted = nameMatcher(figures.groups.join(','))
  const names = new Set(figures.counts.flatMap(({ groups }) => [...groups.keys()].filter(wanted)))
  if (names.size === 0) return {}
  const shown = [...names].map((name) => {
    const query = total(figures, ({ groups }) => groups.get(name) ?? nothing)
    return [
      name,
      {
        ...timed('query', query),
        ...timed('fetch', nothing),
        ...timed('scroll', nothing),
        ...timed('suggest', nothing),
      },
    ]
  })
  return { groups: Object.fromEntries(shown) }
}

function getSection(figures: Figures): StatsSection {
  const found = total(figures, (counts) => counts.getFound)
  const missing = total(figures, (counts) => counts.getMissing)
  return {
    total: found.count + missing.count,
    time_in_millis: found.timeMs + missing.timeMs,
    exists_total: found.count,
    exists_time_in_millis: found.timeMs,
    missing_total: missing.count,
    missing_time_in_millis: missing.timeMs,
    current: 0,
  }
}

/** Bytes in all, and of the fields whose names were asked for. */
function heldSection(
  key: string,
  more: StatsSection,
  bytes: FieldBytes = {},
  patterns: readonly string[] = [],
): StatsSection {
  const wanted = patterns.length === 0 ? () => false : nameMatcher(patterns.join(','))
  const fields = Object.entries(bytes).filter(([path]) => wanted(path))
  const shown = Object.fromEntries(fields.map(([path, size]) => [path, { [key]: size }]))
  const all = Object.values(bytes).reduce((sum, size) => sum + size, 0)
  return { [key]: all, ...more, ...(fields.length === 0 ? {} : { fields: shown }) }
}

const cache = { memory_size_in_bytes: 0, evictions: 0 }

/** The sections of index and node statistics by the name they are asked for. What Lucene would count and this engine does not have stands at nought, so that clients find every section. */
export const statsSections: Readonly<Record<string, SectionType>> = {
  docs: {
    name: 'docs',
    show: ({ documents, deleted, bytes }) => ({ count: documents, deleted, total_size_in_bytes: bytes }),
  },
  store: {
    name: 'store',
    show: ({ bytes }) => ({ size_in_bytes: bytes, total_data_set_size_in_bytes: bytes, reserved_in_bytes: 0 }),
  },
  indexing: {
    name: 'indexing',
    show: (figures) => ({
      ...timed(
        'index',
        total(figures, (counts) => counts.index),
      ),
      index_failed: sum(figures, (counts) => counts.indexFailed),
      ...timed(
        'delete',
        total(figures, (counts) => counts.delete),
      ),
      noop_update_total: sum(figures, (counts) => counts.noopUpdates),
      is_throttled: false,
      throttle_time_in_millis: 0,
    }),
  },
  get: { name: 'get', show: getSection },
  search: { name: 'search', show: searchSection },
  merge: {
    name: 'merges',
    show: (figures) => ({
      current: 0,
      current_docs: 0,
      current_size_in_bytes: 0,
      total: total(figures, (counts) => counts.merge).count,
      total_time_in_millis: 0,
      total_docs: 0,
      total_size_in_bytes: 0,
      total_stopped_time_in_millis: 0,
      total_throttled_time_in_millis: 0,
      total_auto_throttle_in_bytes: 0,
    }),
  },
  refresh: {
    name: 'refresh',
    show: (figures) => {
      const { count } = total(figures, (counts) => counts.refresh)
      const own = { total: count, total_time_in_millis: 0 }
      return { ...own, external_total: count, external_total_time_in_millis: 0, listeners: 0 }
    },
  },
  flush: {
    name: 'flush',
    show: (figures) => ({
      total: total(figures, (counts) => counts.flush).count,
      periodic: 0,
      total_time_in_millis: 0,
      total_time_excluding_waiting_on_lock_in_millis: 0,
    }),
  },
  warmer: { name: 'warmer', show: () => ({ current: 0, total: 0, total_time_in_millis: 0 }) },
  query_cache: {
    name: 'query_cache',
    show: () => ({
      memory_size_in_bytes: 0,
      total_count: 0,
      hit_count: 0,
      miss_count: 0,
      cache_size: 0,
      cache_count: 0,
      evictions: 0,
    }),
  },
  fielddata: {
    name: 'fielddata',
    show: ({ held, heldShown }) =>
      heldSection('memory_size_in_bytes', { evictions: 0 }, held?.fielddata, heldShown?.fielddata),
  },
  completion: {
    name: 'completion',
    show: ({ held, heldShown }) => heldSection('size_in_bytes', {}, held?.completion, heldShown?.completion),
  },
  segments: {
    name: 'segments',
    show: ({ segments }) => ({
      count: segments,
      memory_in_bytes: 0,
      max_unsafe_auto_id_timestamp: -1,
      file_sizes: {},
    }),
  },
  translog: {
    name: 'translog',
    show: ({ pending: { operations, bytes } }) => ({
      operations,
      size_in_bytes: bytes,
      uncommitted_operations: operations,
      uncommitted_size_in_bytes: bytes,
      earliest_last_modified_age: 0,
    }),
  },
  request_cache: { name: 'request_cache', show: () => ({ ...cache, hit_count: 0, miss_count: 0 }) },
  recovery: {
    name: 'recovery',
    show: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
  },
  bulk: {
    name: 'bulk',
    show: () => ({
      total_operations: 0,
      total_time_in_millis: 0,
      total_size_in_bytes: 0,
      avg_time_in_millis: 0,
      avg_size_in_bytes: 0,
    }),
  },
}

/** Sections by the names they are asked for. */
export function showSections(names: readonly string[], figures: Figures): StatsSection {
  return Object.fromEntries(
    names.flatMap((name) => {
      const section = statsSections[name]
      return section ? [[section.name, section.show(figures)] as const] : []
    }),
  )
}

/** Figures of several indices as one. */
export function joinFigures(all: readonly Figures[]): Figures {
  const add = (of: 'documents' | 'deleted' | 'bytes' | 'segments' | 'openContexts'): number =>
    all.reduce((whole, each) => whole + each[of], 0)
  const held = all.flatMap((each) => (each.held === undefined ? [] : [each.held]))
  return {
    documents: add('documents'),
    deleted: add('deleted'),
    bytes: add('bytes'),
    segments: add('segments'),
    pending: {
      operations: all.reduce((whole, { pending }) => whole + pending.operations, 0),
      bytes: all.reduce((whole, { pending }) => whole + pending.bytes, 0),
    },
    openContexts: add('openContexts'),
    counts: all.flatMap(({ counts }) => counts),
    groups: all[0]?.groups,
    ...(held.length === 0 ? {} : { held: joinHeldFields(held) }),
    ...(all[0]?.heldShown === undefined ? {} : { heldShown: all[0].heldShown }),
  }
}
