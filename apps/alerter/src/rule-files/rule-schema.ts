import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { filterSchema } from '../rule-values/filter.ts'
import { unknownDirective } from '../rule-values/strftime.ts'
import { aggregationSchema, cronSchema } from './aggregation-schema.ts'

const channelNameSchema = z.string().min(1)
const channelSchema = z.union([
  channelNameSchema.transform((name) => ({ name, overrides: {} })),
  z.record(channelNameSchema, z.record(z.string(), z.unknown())).transform((entry, context) => {
    const [only, ...more] = Object.entries(entry)
    if (!only || more.length > 0) context.addIssue('each entry of alert names one channel')
    return { name: only?.[0] ?? '', overrides: only?.[1] ?? {} }
  }),
])

const oneOrMore = <T extends z.ZodType>(schema: T) =>
  z.union([schema.transform((one) => [one]), z.array(schema).min(1)])

const word = z.string().min(1)
const args = z.array(z.string())

/** Which server ElastAlert asks, and how. Rules here read the stack's own search: these are taken and not used, and whoever brings a rule is told. */
export const connectionKeys = [
  'es_host',
  'es_hosts',
  'es_port',
  'es_username',
  'es_password',
  'es_api_key',
  'es_bearer',
  'es_url_prefix',
  'use_ssl',
  'verify_certs',
  'ca_certs',
  'client_cert',
  'client_key',
  'ssl_show_warn',
  'profile',
  'aws_region',
] as const

/** A whole rule refuses these by name and reason; any other key that nothing knows is unknown. */
export const unsupportedKeys: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['jinja_template_path', 'jinja_root_name', 'jinja_filters'].map((key) => [
      key,
      'Jinja templates are not supported; use alert_text with alert_text_args or alert_text_kw',
    ]),
  ),
  timestamp_format_expr: 'Python expressions are not run; use timestamp_format',
  timestamp_to_datetime_format_expr: 'Python expressions are not run; use timestamp_format',
  notify_email: 'errors of rules are shown in the dashboard and by logstack rules list',
  kibana_url: 'alerts link to Discover in the dashboard by themselves',
  ...Object.fromEntries(
    [
      'app_url',
      'columns',
      'from_timedelta',
      'index_pattern_id',
      'security_tenant',
      'timeformat',
      'to_timedelta',
      'version',
    ].map((name) => [`kibana_discover_${name}`, 'alerts link to Discover in the dashboard by themselves']),
  ),
  shorten_kibana_discover_url: 'alerts link to Discover in the dashboard by themselves',
  include_match_in_root: 'it is for Jinja templates, which are not supported',
  include_rule_params_in_matches: 'alert_text_args and alert_text_kw may name keys of the rule themselves',
  enhancements: 'write match_enhancements',
  query_timezone: 'ranges are asked for in UTC',
}

/** The keys of every rule file, whatever its type and channels: ElastAlert 2's, with its defaults. */
export const ruleShape = {
  name: word.optional(),
  type: z.string(),
  index: word.regex(/^[^\s/?#]+$/, 'index must be names or patterns joined by commas'),
  search_extra_index: z.boolean().default(false),
  use_strftime_index: z.boolean().default(false),
  alert: oneOrMore(channelSchema),
  is_enabled: z.boolean().default(true),
  description: z.string().optional(),
  owner: z.string().optional(),
  category: z.string().optional(),
  priority: z.number().int().min(0).max(4).default(2),
  filter: filterSchema,
  query_key: oneOrMore(word).optional(),
  timestamp_field: word.default('@timestamp'),
  timestamp_type: z.enum(['iso', 'unix', 'unix_ms', 'custom']).default('iso'),
  timestamp_format: z
    .string()
    .refine((format) => unknownDirective(format) === undefined, 'knows %Y %m %d %H %M %S %f %z and %%')
    .default('%Y-%m-%dT%H:%M:%SZ'),
  realert: durationSchema.optional(),
  realert_key: word.optional(),
  exponential_realert: durationSchema.optional(),
  aggregation: aggregationSchema.optional(),
  aggregation_key: oneOrMore(word).optional(),
  aggregate_by_match_time: z.boolean().default(false),
  aggregation_alert_time_compared_with_timestamp_field: z.boolean().default(false),
  summary_table_fields: oneOrMore(
    z.union([
      word.transform((path) => ({ path, header: path })),
      z
        .strictObject({ path: word, header: word.optional() })
        .transform(({ path, header }) => ({ path, header: header ?? path })),
    ]),
  ).optional(),
  summary_table_type: z.enum(['ascii', 'markdown', 'html']).default('ascii'),
  summary_table_max_rows: z.number().int().min(1).optional(),
  summary_prefix: z.string().default(''),
  summary_suffix: z.string().default(''),
  run_every: durationSchema.optional(),
  buffer_time: durationSchema.optional(),
  query_delay: durationSchema.default(0),
  limit_execution: cronSchema.optional(),
  limit_execution_coverage: z.boolean().default(false),
  scan_entire_timeframe: z.boolean().default(false),
  max_query_size: z.number().int().min(1).optional(),
  // Events are read page by page for as long as there are any; there is no scroll that could end early.
  max_scrolling_count: z.number().int().min(0).optional(),
  scroll_keepalive: z.string().optional(),
  // Every rule's times are written in UTC.
  use_local_time: z.literal(false, 'times are written in UTC').optional(),
  top_count_keys: oneOrMore(word).optional(),
  top_count_number: z.number().int().min(1).max(100).default(5),
  raw_count_keys: z.boolean().default(true),
  include: oneOrMore(word).optional(),
  include_fields: z.array(word).nullable().optional(),
  alert_subject: z.string().optional(),
  alert_subject_args: args.optional(),
  alert_subject_max_len: z.number().int().min(1).default(2048),
  alert_text: z.string().optional(),
  alert_text_args: args.optional(),
  alert_text_kw: z.record(z.string(), z.string()).optional(),
  alert_text_type: z
    .enum(
      ['alert_text_only', 'exclude_fields', 'aggregation_summary_only'],
      'knows alert_text_only, exclude_fields and aggregation_summary_only; Jinja is not supported',
    )
    .optional(),
  alert_missing_value: z.string().default('<MISSING VALUE>'),
  generate_kibana_discover_url: z.literal(false, 'alerts link to Discover in the dashboard by themselves').optional(),
  // Of those that ElastAlert comes with, the one that changes something; others are Python of one's own.
  match_enhancements: z
    .array(
      z.literal(
        'elastalert.enhancements.TimeEnhancement',
        'only elastalert.enhancements.TimeEnhancement is known; other enhancements are Python, which is not run',
      ),
    )
    .optional(),
  run_enhancements_first: z.boolean().optional(),
  disable_rules_on_error: z.literal(false, 'a rule that fails is tried again; it is never switched off').optional(),
} as const
