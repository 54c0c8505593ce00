import { createHash } from 'node:crypto'
import type { AlertSeverity } from '@logstack/contracts'
import { z } from 'zod'
import type { RuleType } from '../rule-types/define-rule-type.ts'
import type { Rule, RuleChannel, TextOptions } from './rule.ts'
import type { ruleShape } from './rule-schema.ts'

type Options = z.output<z.ZodObject<typeof ruleShape>>

/** The parts of a rule whose keys were found good. */
export interface RuleParts {
  readonly id: string
  readonly type: RuleType
  readonly typeOptions: unknown
  readonly options: Options
  readonly raw: Readonly<Record<string, unknown>>
  readonly channels: readonly RuleChannel[]
  readonly revision: string
}

const severities: readonly AlertSeverity[] = ['low', 'low', 'medium', 'high', 'critical']
const minute = 60_000

/** Options that only some types have, as the reader of events needs them. */
const readingSchema = z.looseObject({
  use_count_query: z.boolean().default(false),
  use_terms_query: z.boolean().default(false),
  terms_size: z.number().default(50),
  timeframe: z.number().optional(),
  attach_related: z.boolean().default(false),
})

/** Makes the rule of parts that belong together. */
export function buildRule({ id, type, typeOptions, options, raw, channels, revision }: RuleParts): Rule {
  const reading = readingSchema.parse(typeOptions)
  const queryKey = options.query_key ?? []
  const { clauses, query } = options.filter
  // As in ElastAlert: an ES|QL query says itself what it looks at.
  const index = query?.index ?? (options.use_strftime_index ? withoutTimes(options.index) : options.index)
  const sought = [type.name, typeOptions, index, clauses, queryKey, options.timestamp_field]
  if (query) sought.push(query.text)
  const canCount = reading.use_count_query || reading.use_terms_query
  return {
    id,
    name: options.name ?? id,
    description: options.description,
    category: options.category,
    severity: severities[options.priority] ?? 'medium',
    type,
    typeName: type.name,
    typeOptions,
    index,
    filter: clauses,
    ...(query ? { query: { ...query, index } } : {}),
    queryKey,
    timestamp: { field: options.timestamp_field, type: options.timestamp_type, format: options.timestamp_format },
    reads: !canCount || type.name === 'new_term' ? 'events' : reading.use_terms_query ? 'terms' : 'count',
    termsSize: reading.terms_size,
    pageEventsMax: options.max_query_size,
    queryDelayMs: options.query_delay,
    bufferMs: options.buffer_time,
    runEveryMs: options.run_every,
    limitExecution: options.limit_execution,
    limitCoverage: options.limit_execution_coverage,
    lookbackMs: options.scan_entire_timeframe ? (reading.timeframe ?? 0) : (options.buffer_time ?? 0),
    topCounts: options.top_count_keys && {
      keys: options.top_count_keys,
      number: options.top_count_number,
      raw: options.raw_count_keys,
      spanMs: reading.timeframe ?? options.buffer_time ?? 10 * minute,
    },
    attachRelated: reading.attach_related,
    channels,
    text: textOptionsOf(options),
    include: includeOf(options, queryKey),
    aggregation: aggregationOf(options),
    realert: {
      realertMs: options.realert ?? (options.aggregation ? 0 : minute),
      exponentialMs: options.exponential_realert,
    },
    realertKey: options.realert_key ?? id,
    raw,
    tags: [],
    hasTimeForPeople: (options.match_enhancements ?? []).length > 0,
    fingerprint: createHash('sha256').update(JSON.stringify(sought)).digest('base64url'),
    revision,
  }
}

function withoutTimes(index: string): string {
  return index.replace(/(?:%[^%]|\*)+(?:[.\-_](?:%[^%])+)*/gu, '*')
}

function aggregationOf(options: Options): Rule['aggregation'] {
  if (!options.aggregation) return undefined
  const byMatchTime = options.aggregate_by_match_time || options.aggregation_alert_time_compared_with_timestamp_field
  return { ...options.aggregation, key: options.aggregation_key ?? [], byMatchTime }
}

function includeOf(options: Options, queryKey: readonly string[]): string[] {
  if (!options.include) return ['*']
  return [
    ...options.include,
    ...(options.include_fields ?? []),
    ...queryKey,
    ...(options.aggregation_key ?? []),
    ...(options.top_count_keys ?? []),
    options.timestamp_field,
  ]
}

function textOptionsOf(options: Options): TextOptions {
  return {
    subject: options.alert_subject,
    subjectArgs: options.alert_subject_args,
    subjectMax: options.alert_subject_max_len,
    text: options.alert_text,
    textArgs: options.alert_text_args,
    textKeywords: options.alert_text_kw,
    textType: options.alert_text_type ?? 'default',
    missing: options.alert_missing_value,
    summary: options.summary_table_fields && {
      fields: options.summary_table_fields,
      type: options.summary_table_type,
      rowsMax: options.summary_table_max_rows,
      prefix: options.summary_prefix,
      suffix: options.summary_suffix,
    },
  }
}
