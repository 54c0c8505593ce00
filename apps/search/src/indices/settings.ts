import { AppError, searchErrors } from '@logstack/errors'
import type { IndexSettings } from '../model/index-meta.ts'
import { didYouMean } from '../refusals/did-you-mean.ts'
import { scalarText } from '../values/scalar-text.ts'
import { readTime } from '../values/unit-values.ts'

type Kind = 'integer' | 'number' | 'boolean' | 'time' | 'bytes' | 'text'
/** `dynamic` may change at any time, `static` only while the index is closed, `final` never after its creation. */
type Change = 'dynamic' | 'static' | 'final'

interface Setting {
  readonly kind: Kind
  readonly change: Change
  readonly min?: number
  readonly max?: number
  readonly oneOf?: readonly string[]
}

const dynamic = (kind: Kind, min?: number): Setting => ({
  kind,
  change: 'dynamic',
  ...(min === undefined ? {} : { min }),
})
const fixed = (kind: Kind): Setting => ({ kind, change: 'static' })
const final = (kind: Kind): Setting => ({ kind, change: 'final' })

/**
 * The index settings that are known, without the `index.` prefix. Those that tell a Lucene engine how to work (merge, translog, codec, sort)
 * are kept and shown, because clients and templates send them, and mean nothing to this engine.
 */
const settings = new Map<string, Setting>(
  Object.entries({
    number_of_shards: { kind: 'integer', change: 'final', min: 1, max: 1024 },
    number_of_replicas: dynamic('integer', 0),
    number_of_routing_shards: { kind: 'integer', change: 'final', min: 1 },
    routing_partition_size: final('integer'),
    auto_expand_replicas: dynamic('text'),
    'append_only.enabled': final('boolean'),
    'bulk.adaptive_shard_selection.enabled': final('boolean'),
    hidden: dynamic('boolean'),
    refresh_interval: dynamic('time'),
    codec: fixed('text'),
    format: final('integer'),
    mode: { kind: 'text', change: 'final', oneOf: ['standard', 'time_series', 'logsdb', 'lookup'] },
    priority: dynamic('integer', 0),
    gc_deletes: dynamic('time'),
    default_pipeline: dynamic('text'),
    final_pipeline: dynamic('text'),
    max_result_window: dynamic('integer', 1),
    max_inner_result_window: dynamic('integer', 1),
    max_rescore_window: dynamic('integer', 1),
    max_docvalue_fields_search: dynamic('integer', 0),
    max_script_fields: dynamic('integer', 0),
    max_ngram_diff: dynamic('integer', 0),
    max_shingle_diff: dynamic('integer', 0),
    max_refresh_listeners: dynamic('integer', 0),
    max_slices_per_scroll: dynamic('integer', 1),
    max_slices_per_pit: dynamic('integer', 1),
    max_terms_count: dynamic('integer', 1),
    max_regex_length: dynamic('integer', 1),
    max_adjacency_matrix_filters: dynamic('integer', 2),
    'analyze.max_token_count': dynamic('integer', 1),
    'highlight.max_analyzed_offset': dynamic('integer', 1),
    'query.default_field': dynamic('text'),
    'query_string.lenient': dynamic('boolean'),
    'query.parse.allow_unmapped_fields': fixed('boolean'),
    'mapping.total_fields.limit': dynamic('integer', 1),
    'mapping.total_fields.ignore_dynamic_beyond_limit': dynamic('boolean'),
    'mapping.depth.limit': dynamic('integer', 1),
    'mapping.nested_fields.limit': dynamic('integer', 0),
    'mapping.nested_objects.limit': dynamic('integer', 0),
    'mapping.field_name_length.limit': dynamic('integer', 1),
    'mapping.dimension_fields.limit': dynamic('integer', 0),
    'mapping.ignore_malformed': fixed('boolean'),
    'mapping.coerce': fixed('boolean'),
    'mapping.source.mode': { kind: 'text', change: 'final', oneOf: ['stored', 'synthetic'] },
    'blocks.read_only': dynamic('boolean'),
    'blocks.read_only_allow_delete': dynamic('boolean'),
    'blocks.read': dynamic('boolean'),
    'blocks.write': dynamic('boolean'),
    'blocks.metadata': dynamic('boolean'),
    'lifecycle.name': dynamic('text'),
    'lifecycle.rollover_alias': dynamic('text'),
    'lifecycle.indexing_complete': dynamic('boolean'),
    'lifecycle.origination_date': dynamic('integer', -1),
    'lifecycle.parse_origination_date': dynamic('boolean'),
    'lifecycle.prefer_ilm': dynamic('boolean'),
    'lifecycle.step.wait_time_threshold': dynamic('time'),
    'requests.cache.enable': dynamic('boolean'),
    'queries.cache.enabled': fixed('boolean'),
    'search.idle.after': dynamic('time'),
    'search.throttled': dynamic('boolean'),
    'unassigned.node_left.delayed_timeout': dynamic('time'),
    'write.wait_for_active_shards': dynamic('text'),
    'allocation.max_retries': dynamic('integer', 0),
    'warmer.enabled': dynamic('boolean'),
    'shard.check_on_startup': fixed('text'),
    load_fixed_bitset_filters_eagerly: fixed('boolean'),
    'soft_deletes.enabled': final('boolean'),
    'soft_deletes.retention_lease.period': dynamic('time'),
    'soft_deletes.retention.operations': dynamic('integer', 0),
    'routing.rebalance.enable': dynamic('text'),
    'routing.allocation.enable': dynamic('text'),
    'routing.allocation.total_shards_per_node': dynamic('integer', -1),
    verified_before_close: fixed('boolean'),
  } satisfies Record<string, Setting>),
)

/** Families of settings whose names go on as the user likes. */
const families: readonly (readonly [prefix: string, setting: Setting])[] = [
  ['analysis.', fixed('text')],
  ['similarity.', fixed('text')],
  ['sort.', final('text')],
  ['store.', fixed('text')],
  ['merge.', dynamic('text')],
  ['translog.', dynamic('text')],
  ['search.slowlog.', dynamic('text')],
  ['indexing.slowlog.', dynamic('text')],
  ['routing.allocation.include.', dynamic('text')],
  ['routing.allocation.exclude.', dynamic('text')],
  ['routing.allocation.require.', dynamic('text')],
]

const privateSettings = new Set(['creation_date', 'uuid', 'version.created', 'provided_name', 'version.created_string'])

function illegal(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause === undefined ? {} : { cause })
}

function find(name: string): Setting | undefined {
  return settings.get(name) ?? families.find(([prefix]) => name.startsWith(prefix))?.[1]
}

function checkNumber(name: string, text: string, setting: Setting): void {
  const shape = setting.kind === 'integer' ? /^[+-]?\d{1,19}$/ : /^[+-]?\d+(?:\.\d+)?$/
  const failed = `Failed to parse value [${text}] for setting [index.${name}]`
  if (!shape.test(text))
    throw illegal(failed, new AppError(searchErrors.number_format_exception, `For input string: "${text}"`))
  const value = Number(text)
  if (setting.min !== undefined && value < setting.min) throw illegal(`${failed} must be >= ${setting.min}`)
  if (setting.max !== undefined && value > setting.max) throw illegal(`${failed} must be <= ${setting.max}`)
}

/** What Lucene packs by; here all is packed alike. The last two are OpenSearch's. */
const codecs = new Set([
  'default',
  'best_compression',
  'lucene_default',
  'legacy_default',
  'legacy_best_compression',
  'zstd',
  'zstd_no_dict',
])
const timeValue = /^(?:-1|0|\d+(?:\.\d+)?(?:nanos|micros|ms|s|m|h|d))$/

function checkValue(name: string, text: string, setting: Setting): void {
  if (setting.kind === 'integer' || setting.kind === 'number') checkNumber(name, text, setting)
  else if (setting.oneOf?.includes(text) === false)
    throw illegal(`unknown value [${text}] for [index.${name}], must be one of [${setting.oneOf.join(', ')}]`)
  else if (setting.kind === 'boolean' && text !== 'true' && text !== 'false')
    throw illegal(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  else if (name === 'codec' && !codecs.has(text))
    throw illegal(`unknown value for [index.codec] must be one of [default, best_compression] but was: ${text}`)
  else if (setting.kind === 'time' && !timeValue.test(text)) readTime(`index.${name}`, text)
}

function flatten(given: Readonly<Record<string, unknown>>, prefix: string, into: Map<string, string | null>): void {
  for (const [key, value] of Object.entries(given)) {
    const name = prefix + key
    // Items of an analyzer's lists may hold commas, so these lists are kept as JSON.
    if (Array.isArray(value) && /^(?:index\.)?analysis\./.test(name))
      into.set(name, JSON.stringify(value.map(scalarText)))
    else if (Array.isArray(value)) into.set(name, value.map(scalarText).join(','))
    else if (typeof value === 'object' && value !== null)
      flatten(value as Readonly<Record<string, unknown>>, `${name}.`, into)
    else into.set(name, value === null || value === undefined ? null : String(value))
  }
}

/** Settings as a request has them (nested or flat, with or without `index.`) under flat names without prefix; null resets. Not checked. */
function flattenSettings(given: Readonly<Record<string, unknown>>): Map<string, string | null> {
  const flat = new Map<string, string | null>()
  flatten(given, '', flat)
  const result = new Map<string, string | null>()
  for (const [name, value] of flat) result.set(name.startsWith('index.') ? name.slice('index.'.length) : name, value)
  return result
}

/** The settings of a new index or a template. Throws `illegal_argument_exception` for unknown names and values out of range. */
export function parseSettings(given: Readonly<Record<string, unknown>>): IndexSettings {
  const parsed: Record<string, string> = {}
  for (const [name, value] of flattenSettings(given)) {
    if (value === null) continue
    checkSetting(name, value)
    parsed[name] = value
  }
  const { mode, number_of_shards: shards = '1' } = parsed
  if (mode === 'lookup' && shards !== '1')
    throw illegal(`index with [lookup] mode must have [index.number_of_shards] set to 1 or unset; provided ${shards}`)
  return parsed
}

function checkSetting(name: string, value: string): void {
  if (privateSettings.has(name)) throw illegal(`private index setting [index.${name}] can not be set explicitly`)
  const setting = find(name)
  if (setting === undefined) {
    const known = [...settings.keys()].map((each) => `index.${each}`)
    const meant = didYouMean(`index.${name}`, known, { likenessMin: 0.7 })
    throw illegal(
      `unknown setting [index.${name}]${meant || ' please check that any required plugins are installed, or check the breaking changes documentation for removed settings'}`,
    )
  }
  checkValue(name, value, setting)
}

/**
 * The settings of an index after a change. Throws `illegal_argument_exception` as `parseSettings` does, and for settings that cannot change on
 * an open index or at all.
 */
export function changeSettings(
  current: IndexSettings,
  given: Readonly<Record<string, unknown>>,
  index: { readonly name: string; readonly uuid: string; readonly state: 'open' | 'close' },
): IndexSettings {
  const changed = new Map(Object.entries(current))
  const refused: string[] = []
  for (const [name, value] of flattenSettings(given)) {
    checkSetting(name, value ?? current[name] ?? defaultValue(name))
    const change = find(name)?.change
    if (change === 'final' && value !== current[name] && index.state === 'open') refused.push(`index.${name}`)
    else if (change === 'final' && value !== current[name])
      throw illegal(`final ${index.name} setting [index.${name}], not updateable`)
    if (change === 'static' && index.state === 'open') refused.push(`index.${name}`)
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  if (refused.length > 0)
    throw illegal(
      `Can't update non dynamic settings [[${refused.join(', ')}]] for open indices [[${index.name}/${index.uuid}]] unless the \`reopen\` query parameter is set to true. Alternatively, close the indices, apply the settings changes, and reopen the indices`,
    )
  if (!changed.has('number_of_replicas')) changed.set('number_of_replicas', '0')
  return Object.fromEntries(changed)
}

/** Some value that passes the checks, for a reset of a setting that was not set. */
function defaultValue(name: string): string {
  const setting = find(name)
  if (setting?.kind === 'boolean') return 'false'
  return setting?.kind === 'integer' || setting?.kind === 'number' ? String(setting.min ?? 0) : '0'
}

/** What every new index has when its request and templates do not say otherwise. */
export const newIndexSettings: IndexSettings = {
  number_of_shards: '1',
  // One node: a replica could never be assigned, and the state would be yellow for ever.
  number_of_replicas: '0',
  'routing.allocation.include._tier_preference': 'data_content',
}

/** What settings come to that are not set: of those that change what this engine does or that clients look up. */
export const standardSettings: IndexSettings = {
  hidden: 'false',
  refresh_interval: '1s',
  max_result_window: '10000',
  max_inner_result_window: '100',
  max_rescore_window: '10000',
  max_docvalue_fields_search: '100',
  max_script_fields: '32',
  max_terms_count: '65536',
  max_regex_length: '1000',
  max_ngram_diff: '1',
  max_shingle_diff: '3',
  max_slices_per_scroll: '1024',
  'analyze.max_token_count': '10000',
  'highlight.max_analyzed_offset': '1000000',
  'mapping.total_fields.limit': '1000',
  'mapping.depth.limit': '20',
  'mapping.nested_fields.limit': '100',
  'mapping.nested_objects.limit': '10000',
  'mapping.field_name_length.limit': '50000',
  'mapping.ignore_malformed': 'false',
  'mapping.coerce': 'true',
  'blocks.read_only': 'false',
  'blocks.read_only_allow_delete': 'false',
  'blocks.read': 'false',
  'blocks.write': 'false',
  'blocks.metadata': 'false',
  default_pipeline: '_none',
  final_pipeline: '_none',
  auto_expand_replicas: 'false',
  priority: '1',
}

/** The settings a template comes to, with what every new index has besides. */
export function shownIndexSettings(fromTemplates: IndexSettings): IndexSettings {
  return { ...newIndexSettings, ...fromTemplates }
}
