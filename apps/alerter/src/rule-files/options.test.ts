import { expect, test } from 'vitest'
import { readRule } from './read-rule.ts'
import { connectionKeys, ruleShape, unsupportedKeys } from './rule-schema.ts'

// Every option that ElastAlert 2 knows for every rule: it changes what the rule does, or is refused by its name. None is passed over.

const base = `name: a rule
type: frequency
index: logs-*
num_events: 3
timeframe: {minutes: 5}
query_key: host.name
alert: debug
`

/** The rule of a file, without what only says which file it was. */
function meaningOf(lines: string): unknown {
  const own = Object.fromEntries(lines.split('\n').map((line) => [line.split(':')[0], true]))
  const text = `${base
    .split('\n')
    .filter((line) => !own[line.split(':')[0] ?? ''])
    .join('\n')}${lines}\n`
  const read = readRule('test', text)
  if (read.kind === 'broken') throw new Error(`${lines}: ${read.problem.message}`)
  if (read.kind === 'disabled') return 'disabled'
  const { raw: _raw, revision: _revision, type: _type, ...rule } = read.rule
  return JSON.parse(JSON.stringify({ ...rule, channels: rule.channels.map(({ name, options }) => [name, options]) }))
}

const meaningful = [
  'name: another',
  'index: other-*',
  'index: logs-%Y.%m.%d\nuse_strftime_index: true',
  'alert: [debug, http_post]',
  'is_enabled: false',
  'description: what for',
  'category: access',
  'priority: 4',
  'filter: [{ term: { a: b } }]',
  'filter: [{ query: { query_string: { query: "a:b" } } }]',
  'filter: [{ query_string: { query: "a:b" } }]',
  'filter: [{ kql: "a: b and c > 3" }]',
  'filter: { term: { a: b } }',
  'query_key: [a, b]',
  'timestamp_field: event.created',
  'timestamp_type: unix_ms',
  'timestamp_type: custom\ntimestamp_format: "%Y/%m/%d %H:%M"',
  'realert: { hours: 1 }',
  'realert_key: shared',
  'exponential_realert: { hours: 8 }',
  'aggregation: { minutes: 15 }',
  'aggregation: { schedule: "0 9 * * MON-FRI" }',
  'aggregation: { minutes: 1 }\naggregation_key: user.name',
  'aggregation: { minutes: 1 }\naggregate_by_match_time: true',
  'aggregation: { minutes: 1 }\naggregation_alert_time_compared_with_timestamp_field: true',
  'summary_table_fields: [host.name]',
  'summary_table_fields: [host.name]\nsummary_table_type: markdown',
  'summary_table_fields: [host.name]\nsummary_table_max_rows: 3',
  'summary_table_fields: [host.name]\nsummary_prefix: before',
  'summary_table_fields: [host.name]\nsummary_suffix: after',
  'run_every: { minutes: 2 }',
  'buffer_time: { minutes: 30 }',
  'query_delay: { minutes: 1 }',
  'limit_execution: "* 8-18 * * *"',
  'limit_execution: "* 8-18 * * *"\nlimit_execution_coverage: true',
  'scan_entire_timeframe: true',
  'max_query_size: 50',
  'top_count_keys: [user.name]',
  'top_count_keys: [user.name]\ntop_count_number: 3',
  'top_count_keys: [user.name]\nraw_count_keys: false',
  'include: [host.name]',
  'include: [host.name]\ninclude_fields: [user.name]',
  'alert_subject: hello',
  'alert_subject: "hello {0}"\nalert_subject_args: [host.name]',
  'alert_subject_max_len: 20',
  'alert_text: hello',
  'alert_text: "hello {0}"\nalert_text_args: [host.name]',
  'alert_text: "hello {h}"\nalert_text_kw: { host.name: h }',
  'alert_text_type: alert_text_only',
  'alert_text_type: exclude_fields',
  'alert_text_type: aggregation_summary_only',
  'alert_missing_value: nothing',
  'match_enhancements: [elastalert.enhancements.TimeEnhancement]',
  'use_count_query: true',
  'use_terms_query: true',
  'use_terms_query: true\nterms_size: 10',
  'attach_related: true',
  'num_events: 4',
  'timeframe: { hours: 1 }',
]

test.each(meaningful)('%s changes the rule', (lines) => {
  const shorter = lines.split('\n').slice(0, -1).join('\n')
  expect(meaningOf(lines)).not.toEqual(meaningOf(shorter))
})

// What they ask for is so anyway, or they only say something about the rule.
const withoutEffect = [
  'owner: me',
  'search_extra_index: true',
  'max_scrolling_count: 3',
  'scroll_keepalive: 1m',
  'use_local_time: false',
  'generate_kibana_discover_url: false',
  'run_enhancements_first: true',
  'disable_rules_on_error: false',
]

test.each(withoutEffect)('%s is taken, as it asks for nothing that is not so', (lines) => {
  expect(meaningOf(lines)).toEqual(meaningOf(''))
})

test.each(connectionKeys)('%s names the server that ElastAlert would ask: taken and not used', (key) => {
  expect(meaningOf(`${key}: 1`)).toEqual(meaningOf(''))
})

test('these are all options that a rule may have', () => {
  const tested = [...meaningful, ...withoutEffect].flatMap((lines) =>
    lines.split('\n').map((line) => line.split(':')[0]),
  )
  expect(Object.keys(ruleShape).filter((key) => key !== 'type' && !tested.includes(key))).toEqual([])
})

test.each([
  ...Object.keys(unsupportedKeys).map((key) => [`${key}: 1`, `[${key}]`] as const),
  ['use_local_time: true', 'use_local_time'] as const,
  ['generate_kibana_discover_url: true', 'generate_kibana_discover_url'] as const,
  ['alert_text_type: alert_text_jinja', 'alert_text_type'] as const,
  ['match_enhancements: [my.own.Enhancement]', 'match_enhancements'] as const,
  ['filter: [{ eql: "process where" }]', 'EQL'] as const,
  ['filter: [{ esql: "from x | stats count(*)" }]', 'STATS'] as const,
  ['no_such_option: 1', 'unknown key [no_such_option]'] as const,
])('%s is refused by its name', (line, named) => {
  const read = readRule('test', `${base}${line}\n`)
  expect(read.kind === 'broken' && read.problem.message).toContain(named)
  expect(read.kind === 'broken' && read.problem.line).toBe(8)
})
