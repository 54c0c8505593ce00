import { isAppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../testing/memory-store.ts'
import { acceptedSettings } from './accepted.ts'
import { archiveClusterSettings, archived } from './archive.ts'
import { changed, readChanges } from './change.ts'
import { listMembers } from './read.ts'
import { changeableKind, settingDefaults } from './registry.ts'
import { steeringSettings } from './steering.ts'

const set = (given: Readonly<Record<string, unknown>>, before = {}) => changed('persistent', before, readChanges(given))

function refusal(given: Readonly<Record<string, unknown>>): unknown {
  try {
    return set(given)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    const cause = isAppError(thrown.cause) ? `${thrown.cause.code}: ${thrown.cause.message}` : undefined
    return [thrown.code, thrown.message, ...(cause === undefined ? [] : [cause])]
  }
}

const refused: [name: string, value: unknown, reason: string, cause?: string][] = [
  [
    'cluster.max_shards_per_node',
    'abc',
    'Failed to parse value [abc] for setting [cluster.max_shards_per_node]',
    'number_format_exception: For input string: "abc"',
  ],
  [
    'cluster.max_shards_per_node',
    0,
    'Failed to parse value [0] for setting [cluster.max_shards_per_node] must be >= 1',
  ],
  [
    'indices.recovery.max_concurrent_file_chunks',
    9,
    'Failed to parse value [9] for setting [indices.recovery.max_concurrent_file_chunks] must be <= 8',
  ],
  [
    'search.max_buckets',
    99999999999,
    'Failed to parse value [99999999999] for setting [search.max_buckets]',
    'number_format_exception: For input string: "99999999999"',
  ],
  [
    'search.max_keep_alive',
    '5',
    'failed to parse setting [search.max_keep_alive] with value [5] as a time value: unit is missing or unrecognized',
  ],
  ['search.max_keep_alive', 'xm', 'failed to parse [xm]', 'number_format_exception: For input string: "x"'],
  [
    'search.max_keep_alive',
    '1.5h',
    'failed to parse [1.5h], fractional time values are not supported',
    'number_format_exception: For input string: "1.5"',
  ],
  [
    'indices.lifecycle.poll_interval',
    '10ms',
    'failed to parse value [10ms] for setting [indices.lifecycle.poll_interval], must be >= [1s]',
  ],
  [
    'indices.recovery.max_bytes_per_sec',
    '12',
    'failed to parse setting [indices.recovery.max_bytes_per_sec] with value [12] as a size in bytes: unit is missing or unrecognized',
    'parse_exception: failed to parse setting [indices.recovery.max_bytes_per_sec] with value [12] as a size in bytes: unit is missing or unrecognized',
  ],
  [
    'indices.breaker.total.limit',
    '101%',
    'percentage should be in [0-100], got [101]',
    'parse_exception: percentage should be in [0-100], got [101]',
  ],
  ['cluster.blocks.read_only', 'yes', 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
  ['cluster.routing.allocation.enable', 'some', 'Illegal allocation.enable value [SOME]'],
  [
    'cluster.routing.allocation.allow_rebalance',
    'never',
    'Illegal value for cluster.routing.allocation.allow_rebalance: never',
  ],
  ['logger.org.elasticsearch', 'loud', 'Unknown level constant [LOUD].'],
  ['xpack.security.audit.logfile.events.include', ['all'], 'invalid event name specified [all]'],
  [
    'search.max_buckets',
    [1, 2],
    'Found list type value for setting [search.max_buckets] but but did not expect a list for this setting.',
  ],
]

describe('a value', () => {
  it.each(refused)('%s: %j is refused', (name, value, reason, cause?: string) => {
    expect(refusal({ [name]: value })).toEqual(['illegal_argument_exception', reason, ...(cause ? [cause] : [])])
  })

  it.each([
    ['search.max_buckets', 20],
    ['search.default_search_timeout', '-1'],
    ['search.default_search_timeout', '500ms'],
    ['indices.recovery.max_bytes_per_sec', '-1'],
    ['indices.breaker.total.limit', '70%'],
    ['indices.breaker.total.limit', '1.5gb'],
    ['cluster.routing.allocation.balance.disk_usage', '2.0E-11'],
    ['cluster.routing.allocation.exclude._ip', '10.0.0.1'],
    ['script.max_compilations_rate', '75/5m'],
    ['cluster.lifecycle.default.rollover', 'max_age=auto,min_docs=1'],
    ['slm.retention_schedule', ''],
    ['logger._root', 'debug'],
  ])('%s: %j stands', (name, value) => {
    expect(set({ [name]: value })).toEqual({ [name]: String(value) })
  })
})

describe('a name', () => {
  it('is refused when it is not known, also to take it back', () => {
    const unknown = ['illegal_argument_exception', 'persistent setting [cluster.made_up], not recognized']
    expect(refusal({ cluster: { made_up: 1 } })).toEqual(unknown)
    expect(refusal({ 'cluster.made_up': null })).toEqual(unknown)
    expect(refusal({ 'cluster.remote.other.seeds': ['127.0.0.1:9300'] })).toEqual([
      'illegal_argument_exception',
      'persistent setting [cluster.remote.other.seeds], not recognized',
    ])
    expect(refusal({ constructor: 1 })).toEqual([
      'illegal_argument_exception',
      'persistent setting [constructor], not recognized',
    ])
  })

  it('is refused when it cannot change while search runs', () => {
    expect(refusal({ 'cluster.name': 'x' })).toEqual([
      'illegal_argument_exception',
      'persistent setting [cluster.name], not dynamically updateable',
    ])
  })

  it('with stars takes back what it fits', () => {
    const before = { 'search.max_buckets': '1', 'search.max_keep_alive': '1h', 'slm.minimum_interval': '1m' }
    expect(set({ 'search.*': null }, before)).toEqual({ 'slm.minimum_interval': '1m' })
  })
})

it('keeps lists as lists', () => {
  const name = 'xpack.security.audit.logfile.events.include'
  const kept = set({ [name]: ['ACCESS_DENIED', '_all'] })
  expect(kept).toEqual({ [name]: '["ACCESS_DENIED","_all"]' })
  expect(listMembers(String(kept[name]))).toEqual(['ACCESS_DENIED', '_all'])
  expect(listMembers('a, b')).toEqual(['a', 'b'])
})

it('archives what an older version took', async () => {
  const store = memoryStore()
  const kept = store.collection<object>('cluster_settings')
  kept.put('persistent', { 'search.max_buckets': '10' })
  expect(await archiveClusterSettings(store)).toEqual([])
  kept.put('transient', { 'node.odd': '1', 'search.max_buckets': '11' })
  expect(await archiveClusterSettings(store)).toEqual(['node.odd'])
  expect(kept.get('transient')).toEqual({ 'archived.node.odd': '1', 'search.max_buckets': '11' })
  expect(kept.get('persistent')).toEqual({ 'search.max_buckets': '10' })
  expect(await archiveClusterSettings(store)).toEqual([])
  expect(archived({ 'search.max_buckets': 'x', 'cluster.made_up': '1', 'search.max_keep_alive': '1h' })).toEqual({
    'archived.search.max_buckets': 'x',
    'archived.cluster.made_up': '1',
    'search.max_keep_alive': '1h',
  })
  expect(set({ 'archived.*': null }, { 'archived.a': '1', 'search.max_buckets': '1' })).toEqual({
    'search.max_buckets': '1',
  })
})

it('has a default for every setting, which is a value of it', () => {
  const defaults = settingDefaults('c', { nodeName: 'n', repositoryFolders: [] })
  const names = [...Object.keys(steeringSettings), ...Object.keys(acceptedSettings)]
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    const value = String(defaults[name])
    const isList = changeableKind(name)?.isList === true
    expect(() => changeableKind(name)?.check(name, isList ? listMembers(value).join(',') : value), name).not.toThrow()
  }
})
