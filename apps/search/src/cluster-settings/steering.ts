import { parseCron } from '../dates/cron.ts'
import { auditedByDefault } from '../model/audit-events.ts'
import { boolean, bytes, custom, integer, type SettingKind, time } from './kinds.ts'
import { checkAuditEvents, checkAutoCreate, checkDefaultRollover } from './own-forms.ts'
import { readMark, watermarkDefaults } from './watermarks.ts'

/** A setting that changes what this engine does. */
export interface SteeringSetting {
  readonly kind: SettingKind
  /** As `include_defaults` shows it. */
  readonly standard: string
  /** What it does, for the compatibility page. */
  readonly does: string
}

const disk = 'cluster.routing.allocation.disk.'
const events = 'xpack.security.audit.logfile.events.'
const mark = custom('percentage or bytes', readMark)
const lists = (check: (setting: string, text: string) => void): SettingKind => ({
  ...custom('list', check),
  isList: true,
})

function watermark(level: string, does: string): Record<string, SteeringSetting> {
  const name = `${disk}watermark.${level}`
  const standard = (setting: string): string => watermarkDefaults[setting] ?? ''
  return {
    [name]: { kind: mark, standard: standard(name), does },
    [`${name}.max_headroom`]: {
      kind: bytes,
      standard: standard(`${name}.max_headroom`),
      does: 'the most free bytes that a percentage of it asks for',
    },
  }
}

/** The settings of the cluster that steer this engine, by name. */
export const steeringSettings = {
  'action.auto_create_index': {
    kind: custom('boolean or patterns', checkAutoCreate),
    standard: 'true',
    does: 'which indices writes may make',
  },
  'action.destructive_requires_name': {
    kind: boolean,
    standard: 'false',
    does: 'whether indices are deleted by whole names only; Elasticsearch 8 begins with `true`',
  },
  'cluster.blocks.read_only': {
    kind: boolean,
    standard: 'false',
    does: 'whether writes and changes of the cluster are refused (403)',
  },
  'cluster.blocks.read_only_allow_delete': {
    kind: boolean,
    standard: 'false',
    does: 'the same, but indices may be deleted',
  },
  'cluster.indices.close.enable': { kind: boolean, standard: 'true', does: 'whether indices may be closed' },
  'cluster.lifecycle.default.rollover': {
    kind: custom('conditions', checkDefaultRollover),
    standard: 'max_age=auto,max_primary_shard_size=50gb,min_docs=1,max_primary_shard_docs=200000000',
    does: 'when data streams without a policy roll over',
  },
  'cluster.max_shards_per_node': {
    kind: integer(1),
    // Ten times Elasticsearch's: an index costs next to nothing here, and whoever kept three years of daily ones must not lose the next day.
    standard: '10000',
    does: "how many shards of open indices there may be, replicas too; more are refused (400). Elasticsearch's default is 1,000",
  },
  [`${disk}threshold_enabled`]: { kind: boolean, standard: 'true', does: 'whether the watermarks count' },
  ...watermark('low', 'from where on writing slows'),
  ...watermark('high', 'from where on documents are refused (429)'),
  ...watermark('flood_stage', 'from where on indices are blocked for writes'),
  'data_streams.lifecycle.signalling.error_retry_interval': {
    kind: integer(1),
    standard: '10',
    does: 'after how many failed runs in a row `_health_report` warns of the lifecycle of a data stream',
  },
  'http.client_stats.enabled': {
    kind: boolean,
    standard: 'true',
    does: 'whether `_nodes/stats/http` shows each connection',
  },
  'indices.lifecycle.poll_interval': {
    kind: time('1s'),
    standard: '1m',
    does: 'how often policies, data streams and retention have their turn; looked at every five seconds',
  },
  'search.allow_expensive_queries': {
    kind: boolean,
    standard: 'true',
    does: 'whether queries may hold patterns (but on `wildcard` fields), ranges of keywords, nested and joined documents and scripts',
  },
  'search.default_allow_partial_results': {
    kind: boolean,
    standard: 'true',
    does: 'whether searches go on with the other indices where one cannot read them, unless they say so themselves',
  },
  'search.default_search_timeout': { kind: time(), standard: '-1', does: 'the `timeout` of searches that name none' },
  'search.max_async_search_response_size': {
    kind: bytes,
    standard: '10mb',
    does: 'the largest answer that an asynchronous search keeps',
  },
  'search.max_buckets': { kind: integer(0), standard: '65536', does: 'the most buckets of one answer' },
  'search.max_keep_alive': { kind: time(), standard: '24h', does: 'the longest life of a scroll or a point in time' },
  'search.max_open_scroll_context': {
    kind: integer(0),
    standard: '500',
    does: 'how many scrolls and points in time may be open',
  },
  'slm.health.failed_snapshot_warn_threshold': {
    kind: integer(1),
    standard: '5',
    does: 'after how many failed snapshots in a row `_health_report` warns of a policy',
  },
  'slm.minimum_interval': {
    kind: time(),
    standard: '15m',
    does: 'the least time between two snapshots of a policy',
  },
  'slm.retention_schedule': {
    kind: custom('cron', (_setting, text) => (text.trim() === '' ? undefined : parseCron(text))),
    standard: '0 30 1 * * ?',
    does: 'when old snapshots are deleted; empty: never',
  },
  [`${events}exclude`]: { kind: lists(checkAuditEvents), standard: '', does: 'audit events that are not written' },
  [`${events}include`]: {
    kind: lists(checkAuditEvents),
    standard: auditedByDefault.join(','),
    does: 'audit events that are written; when it is not set, those of `security.audit.events`',
  },
} as const satisfies Readonly<Record<string, SteeringSetting>>
