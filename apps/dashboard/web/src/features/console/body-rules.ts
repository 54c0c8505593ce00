import words from './search-words.json'

/** What may stand in an object of a request's body. A rule is named, so that rules can hold each other. */
interface BodyRule {
  /** Keys, and the rule of what each holds; none where it holds a plain value. */
  readonly keys?: Readonly<Record<string, string | undefined>>
  /** Keys are names that the author chooses; what each holds. */
  readonly named?: string
  /** Keys are names of fields; what each holds. */
  readonly byField?: string
}

/** Keys whose plain value is the name of a field. */
export const fieldValued: ReadonlySet<string> = new Set([
  'field',
  'fields',
  'default_field',
  '_source',
  'includes',
  'excludes',
  'docvalue_fields',
  'sort',
  'path',
])

const plain = (...names: string[]): Record<string, undefined> =>
  Object.fromEntries(names.map((name) => [name, undefined] as const))
const all = (names: readonly string[], rule: string, own: Readonly<Record<string, string | undefined>>) => ({
  ...Object.fromEntries(names.map((name) => [name, rule] as const)),
  ...own,
})

const fieldClauses = {
  fuzzy: 'fuzzy',
  match: 'match',
  match_bool_prefix: 'match',
  match_phrase: 'match',
  match_phrase_prefix: 'match',
  prefix: 'termOptions',
  range: 'rangeOptions',
  regexp: 'termOptions',
  term: 'termOptions',
  wildcard: 'termOptions',
}
const lists = { must: 'query', filter: 'query', should: 'query', must_not: 'query' }

/** All rules by name; `search`, `index`, `template` and the others that no rule names are whole bodies. */
const bodyRules: Readonly<Record<string, BodyRule>> = {
  search: {
    keys: {
      query: 'query',
      aggs: 'aggs',
      aggregations: 'aggs',
      sort: 'sort',
      highlight: 'highlight',
      post_filter: 'query',
      collapse: 'options',
      pit: 'pit',
      _source: 'source',
      ...plain('size', 'from', 'fields', 'docvalue_fields', 'track_total_hits', 'search_after', 'min_score', 'timeout'),
      ...plain('explain', 'profile', 'version', 'seq_no_primary_term', 'stored_fields', 'runtime_mappings', 'suggest'),
    },
  },
  query: {
    keys: all(words.queries, 'options', {
      ...Object.fromEntries(Object.keys(fieldClauses).map((name) => [name, `${name}.field`])),
      bool: 'bool',
      boosting: 'boosting',
      constant_score: 'constantScore',
      dis_max: 'disMax',
      exists: 'fieldOnly',
      function_score: 'functionScore',
      ids: 'ids',
      multi_match: 'queryText',
      nested: 'nested',
      query_string: 'queryText',
      simple_query_string: 'queryText',
      terms: 'terms',
    }),
  },
  ...Object.fromEntries(Object.entries(fieldClauses).map(([name, rule]) => [`${name}.field`, { byField: rule }])),
  bool: { keys: { ...lists, ...plain('minimum_should_match', 'boost', '_name') } },
  boosting: { keys: { positive: 'query', negative: 'query', ...plain('negative_boost') } },
  constantScore: { keys: { filter: 'query', ...plain('boost') } },
  disMax: { keys: { queries: 'query', ...plain('tie_breaker', 'boost') } },
  functionScore: { keys: { query: 'query', ...plain('functions', 'score_mode', 'boost_mode', 'min_score') } },
  nested: { keys: { query: 'query', ...plain('path', 'score_mode', 'inner_hits', 'ignore_unmapped') } },
  fieldOnly: { keys: plain('field', 'boost') },
  ids: { keys: plain('values') },
  terms: { byField: 'options' },
  match: {
    keys: plain('query', 'operator', 'fuzziness', 'minimum_should_match', 'analyzer', 'slop', 'lenient', 'boost'),
  },
  fuzzy: { keys: plain('value', 'fuzziness', 'prefix_length', 'max_expansions', 'boost') },
  termOptions: { keys: plain('value', 'case_insensitive', 'boost', '_name') },
  rangeOptions: { keys: plain('gte', 'gt', 'lte', 'lt', 'format', 'time_zone', 'boost') },
  queryText: { keys: plain('query', 'fields', 'default_field', 'default_operator', 'type', 'lenient', 'boost') },
  sort: { byField: 'sortOptions' },
  sortOptions: { keys: plain('order', 'missing', 'unmapped_type', 'mode', 'format') },
  source: { keys: plain('includes', 'excludes') },
  highlight: {
    keys: { fields: 'highlightFields', ...plain('pre_tags', 'post_tags', 'fragment_size', 'number_of_fragments') },
  },
  highlightFields: { byField: 'options' },
  pit: { keys: plain('id', 'keep_alive') },
  aggs: { named: 'agg' },
  agg: {
    keys: all(words.aggregations, 'aggOptions', {
      aggs: 'aggs',
      aggregations: 'aggs',
      meta: undefined,
      filter: 'query',
      filters: 'filters',
      top_hits: 'search',
    }),
  },
  filters: { keys: { filters: 'filterNames', ...plain('other_bucket', 'other_bucket_key') } },
  filterNames: { named: 'query' },
  aggOptions: {
    keys: plain(
      ...['field', 'size', 'order', 'missing', 'fixed_interval', 'calendar_interval', 'interval', 'min_doc_count'],
      ...['time_zone', 'format', 'ranges', 'percents', 'sources', 'include', 'exclude', 'buckets_path', 'keyed'],
    ),
  },
  options: { keys: plain('field', 'query', 'value', 'boost') },
  queryOnly: { keys: { query: 'query' } },
  byQuery: { keys: { query: 'query', ...plain('script', 'max_docs', 'conflicts', 'size') } },
  reindex: { keys: { source: 'reindexFrom', dest: 'reindexTo', ...plain('script', 'max_docs', 'conflicts') } },
  reindexFrom: { keys: { query: 'query', ...plain('index', 'size', '_source') } },
  reindexTo: { keys: plain('index', 'pipeline', 'op_type') },
  index: { keys: { settings: 'settings', mappings: 'mappings', aliases: 'aliases' } },
  settings: {
    keys: plain('number_of_shards', 'number_of_replicas', 'refresh_interval', 'index.mode', 'index.lifecycle.name'),
  },
  mappings: { keys: { properties: 'properties', ...plain('dynamic', 'dynamic_templates', '_meta') } },
  properties: { named: 'property' },
  property: {
    keys: {
      properties: 'properties',
      fields: 'properties',
      ...plain('type', 'analyzer', 'format', 'ignore_above', 'index'),
    },
  },
  aliases: { named: 'alias' },
  alias: { keys: { filter: 'query', ...plain('is_write_index', 'is_hidden', 'routing') } },
  template: {
    keys: {
      template: 'index',
      ...plain('index_patterns', 'priority', 'composed_of', 'data_stream', 'version', '_meta'),
    },
  },
  update: { keys: plain('doc', 'script', 'upsert', 'doc_as_upsert', 'detect_noop') },
  aliasActions: { keys: { actions: 'aliasAction' } },
  aliasAction: { keys: { add: 'aliasChange', remove: 'aliasChange', remove_index: 'aliasChange' } },
  aliasChange: { keys: { filter: 'query', ...plain('index', 'alias', 'is_write_index', 'is_hidden') } },
  pipeline: { keys: { processors: 'processor', on_failure: 'processor', ...plain('description', 'version') } },
  processor: { keys: all(words.processors, 'processorOptions', {}) },
  processorOptions: {
    keys: plain('field', 'target_field', 'value', 'if', 'tag', 'ignore_failure', 'ignore_missing', 'on_failure'),
  },
}

const bodies: readonly (readonly [path: RegExp, rule: string])[] = [
  [/(^|\/)_(search|msearch)(\/template)?$/, 'search'],
  [/(^|\/)(_count|_validate\/query|_explain\/[^/]+)$/, 'queryOnly'],
  [/_(delete|update)_by_query$/, 'byQuery'],
  [/^_reindex$/, 'reindex'],
  [/^_index_template\//, 'template'],
  [/^_component_template\//, 'template'],
  [/_mappings?$/, 'mappings'],
  [/(^|\/)_settings$/, 'settings'],
  [/\/_update\/[^/]+$/, 'update'],
  [/^_aliases$/, 'aliasActions'],
  [/^_ingest\/pipeline\//, 'pipeline'],
  [/^[^_/][^/]*$/, 'index'],
]

/** The rule of a whole body by the request's path without its slash and parameters; undefined where nothing is known of it. */
export function bodyRuleOf(path: string): string | undefined {
  return bodies.find(([form]) => form.test(path))?.[1]
}

/** The rule of the object that keys lead to from a body's root; undefined where nothing is known of it. */
export function ruleAt(root: string, path: readonly string[]): BodyRule | undefined {
  let rule = bodyRules[root]
  for (const key of path) {
    const next = rule?.keys?.[key] ?? rule?.named ?? rule?.byField
    rule = next === undefined ? undefined : bodyRules[next]
  }
  return rule
}
