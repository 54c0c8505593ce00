/** A request that is right, which malformed ones are made of; `lines` is a body of JSON lines. */
export interface Seed {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly lines?: readonly unknown[]
}

const day = { range: { '@timestamp': { gte: '2026-11-20T00:00:00Z', lt: 'now+1d/d', time_zone: '+01:00' } } }

const queries: readonly unknown[] = [
  { match_all: { boost: 1.2 } },
  {
    bool: {
      must: [day],
      filter: { term: { 'host.name': 'web-1' } },
      should: [{ match: { message: 'failed login' } }],
      must_not: [],
    },
  },
  { term: { status: { value: 404, boost: 2 } } },
  { terms: { tags: ['a', 'b'] } },
  { range: { status: { gte: 200, lt: 500 } } },
  { match: { message: { query: 'failed password', operator: 'and', fuzziness: 'AUTO', minimum_should_match: '75%' } } },
  { match_phrase: { message: { query: 'failed password', slop: 2 } } },
  { match_phrase_prefix: { message: 'failed pass' } },
  { multi_match: { query: 'root', fields: ['message^2', 'host.name'], type: 'best_fields' } },
  {
    query_string: {
      query: 'message:(failed OR "closed by") AND status:[200 TO 500} NOT tags:b*',
      default_operator: 'AND',
    },
  },
  { simple_query_string: { query: 'failed + (root | anna) -closed', fields: ['message'] } },
  { exists: { field: 'host' } },
  { prefix: { 'host.name': { value: 'we', case_insensitive: true } } },
  { wildcard: { 'host.name': 'w?b-*' } },
  { regexp: { 'host.name': { value: '(web|db)-[0-9]{1,3}', flags: 'ALL' } } },
  { fuzzy: { 'host.name': { value: 'web-2', fuzziness: 1 } } },
  { ids: { values: ['1', '2'] } },
  { term: { 'host.ip': '10.0.0.0/8' } },
  { nested: { path: 'parts', query: { term: { 'parts.name': 'x' } }, inner_hits: {} } },
  {
    function_score: {
      query: { match_all: {} },
      functions: [{ weight: 2, filter: { term: { ok: true } } }, { random_score: { seed: 1, field: '_seq_no' } }],
    },
  },
  {
    script_score: { query: { match_all: {} }, script: { source: "doc['status'].value * params.f", params: { f: 2 } } },
  },
  { constant_score: { filter: { term: { ok: true } }, boost: 3 } },
  { dis_max: { queries: [{ term: { ok: true } }, { term: { status: 1 } }], tie_breaker: 0.3 } },
  { boosting: { positive: { match_all: {} }, negative: { term: { ok: false } }, negative_boost: 0.5 } },
  { geo_distance: { distance: '10km', place: { lat: 40, lon: -70 } } },
  { script: { script: { source: "doc['status'].size() > 0 && doc['status'].value > 100", lang: 'painless' } } },
]

const metric = { avg: { field: 'load' } }

const aggregations: readonly unknown[] = [
  { a: { terms: { field: 'tags', size: 5, order: { m: 'desc' }, missing: 'none' }, aggs: { m: metric } } },
  {
    a: {
      date_histogram: {
        field: '@timestamp',
        fixed_interval: '1h',
        min_doc_count: 0,
        extended_bounds: { min: 'now-1d', max: 'now' },
      },
      aggs: { d: { derivative: { buckets_path: '_count' } } },
    },
  },
  { a: { histogram: { field: 'load', interval: 0.5, offset: 0.1 } } },
  {
    a: {
      range: { field: 'status', ranges: [{ to: 300 }, { from: 300, to: 500, key: 'x' }] },
      aggs: { s: { stats: { field: 'load' } } },
    },
  },
  { a: { filters: { other_bucket_key: 'rest', filters: { web: { prefix: { 'host.name': 'web' } } } } } },
  {
    a: {
      composite: {
        size: 10,
        sources: [
          { h: { terms: { field: 'host.name' } } },
          { t: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } },
        ],
      },
    },
  },
  { a: { percentiles: { field: 'load', percents: [50, 99.9], tdigest: { compression: 100 } } } },
  {
    a: { cardinality: { field: 'host.name', precision_threshold: 100 } },
    b: { value_count: { field: 'tags' } },
    c: { extended_stats: { field: 'load', sigma: 3 } },
  },
  { a: { top_hits: { size: 2, sort: [{ '@timestamp': 'desc' }], _source: ['host.name'] } } },
  { a: { significant_terms: { field: 'tags', min_doc_count: 1 } }, b: { rare_terms: { field: 'host.name' } } },
  { a: { auto_date_histogram: { field: '@timestamp', buckets: 10 } }, b: { max_bucket: { buckets_path: 'a>_count' } } },
  {
    a: { multi_terms: { terms: [{ field: 'host.name' }, { field: 'status' }] } },
    b: { weighted_avg: { value: { field: 'load' }, weight: { field: 'status' } } },
  },
  {
    a: {
      nested: { path: 'parts' },
      aggs: { n: { terms: { field: 'parts.name' }, aggs: { r: { reverse_nested: {} } } } },
    },
  },
  {
    a: { ip_range: { field: 'host.ip', ranges: [{ mask: '10.0.0.0/16' }] } },
    b: { geohash_grid: { field: 'place', precision: 4 } },
  },
]

const documents: readonly unknown[] = [
  {
    '@timestamp': '2026-11-21T10:00:00Z',
    message: 'Failed password for root',
    host: { name: 'web-1', ip: '10.0.0.1' },
    status: 200,
    load: 0.5,
    ok: true,
    tags: ['a', 'b'],
  },
  {
    '@timestamp': 1_795_259_700_000,
    message: 'Connection closed',
    host: { name: 'db-1', ip: ['10.1.0.1', '::1'] },
    status: 500,
    parts: [{ name: 'x', n: 1 }, { name: 'y' }],
    place: { lat: 40.1, lon: -70.2 },
  },
  { message: 'no time', extra: { deep: [{ er: 1.5 }, null] } },
]

/** The mapping of the index that the seeds search. */
export const mappings = {
  properties: {
    '@timestamp': { type: 'date' },
    message: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    host: { properties: { name: { type: 'keyword' }, ip: { type: 'ip' } } },
    status: { type: 'long' },
    load: { type: 'double' },
    ok: { type: 'boolean' },
    tags: { type: 'keyword' },
    parts: { type: 'nested', properties: { name: { type: 'keyword' }, n: { type: 'integer' } } },
    place: { type: 'geo_point' },
  },
}

const search = '/fuzz/_search'
const details = {
  from: 0,
  size: 5,
  sort: [{ '@timestamp': { order: 'desc', missing: '_last', unmapped_type: 'date' } }, '_doc'],
  track_total_hits: 1000,
  _source: { includes: ['host.*'], excludes: ['*.ip'] },
  fields: ['message', { field: '@timestamp', format: 'epoch_millis' }],
  docvalue_fields: ['status'],
  highlight: { fields: { message: { fragment_size: 50 } } },
  script_fields: { s: { script: "doc['status'].value + 1" } },
  runtime_mappings: { day: { type: 'keyword', script: "emit('x')" } },
  collapse: { field: 'host.name' },
  min_score: 0.1,
  post_filter: { term: { ok: true } },
  explain: true,
}

/** Queries in languages of their own: what is changed in them are words and signs. */
const esqlQueries: readonly string[] = [
  'FROM fuzz | WHERE status >= 200 AND host.name IN ("web-1", "web-2") | SORT @timestamp DESC NULLS LAST | LIMIT 5',
  'FROM fuzz METADATA _id, _index, _score | WHERE message : "failed" OR MATCH(message, "user", {"operator": "AND"}) | KEEP _id, _score, message | LIMIT 3',
  'FROM fuzz | STATS n = COUNT(*), a = AVG(load) WHERE ok, v = VALUES(tags) BY h = BUCKET(@timestamp, 1 hour), host.name | WHERE n > 1 | SORT n DESC | LIMIT 10',
  'FROM fuzz | EVAL x = CASE(status == 200, "ok", status > 400, "bad", null), y = ROUND(load * 2.5 / 3, 1), z = TO_STRING(host.ip) | DROP tags, place | RENAME x AS w | LIMIT 2',
  'FROM fuzz | DISSECT message "%{a} %{b} for user %{n}" | GROK message "%{WORD:w} password for user %{INT:u:int}" | MV_EXPAND tags | STATS m = MAX(u) BY tags, w | LIMIT 5',
  'FROM fuzz | WHERE @timestamp > NOW() - 30 days OR CIDR_MATCH(host.ip, "10.0.0.0/8") | EVAL d = DATE_DIFF("hours", @timestamp, NOW()), f = DATE_FORMAT("yyyy-MM-dd", @timestamp) | STATS c = COUNT_DISTINCT(f), p = PERCENTILE(d, 95) BY DATE_TRUNC(1 month, @timestamp) | LIMIT 3',
  'ROW a = [1, 2, 3], b = "x", c = 1.5::string, d = -2 * (3 + 4) % 5 | EVAL e = MV_SUM(a) + LENGTH(CONCAT(b, c)), f = REPLACE(b, "x+", "y"), g = SPLIT("a,b", ",") | LIMIT 1',
]
const eqlQueries: readonly string[] = [
  'any where host.name : "web-*" and not status in (404, 500) or length(message) > 10',
  'sequence by host.name with maxspan=1h [any where status == 200] [any where stringContains(message, "user")] until [any where ok == null] | tail 2',
  'sample by tags [any where host.name == "web-1"] [any where host.name regex~ "WEB-2"]',
]

/** Right requests of every sort, each of which answers without an error on the index `fuzz`. */
export const seeds: readonly Seed[] = [
  ...queries.map((query) => ({ method: 'POST', path: search, body: { query } })),
  ...queries.map((query) => ({ method: 'POST', path: '/fuzz/_count', body: { query } })),
  ...esqlQueries.map((query) => ({ method: 'POST', path: '/_query', body: { query, params: [], columnar: false } })),
  ...eqlQueries.map((query) => ({
    method: 'POST',
    path: '/fuzz/_eql/search',
    body: { query, event_category_field: 'host.name', size: 5 },
  })),
  ...aggregations.map((aggs) => ({ method: 'POST', path: search, body: { size: 0, aggs } })),
  { method: 'GET', path: `${search}?q=status:200&sort=status:desc&size=3&_source=false`, body: { query: day } },
  ...Object.entries(details).map(([key, value]) => ({
    method: 'POST',
    path: search,
    body: { query: { match: { message: 'failed' } }, [key]: value },
  })),
  {
    method: 'POST',
    path: '/_msearch',
    lines: [{ index: 'fuzz' }, { query: day }, {}, { size: 0, aggs: { a: { terms: { field: 'tags' } } } }],
  },
  {
    method: 'POST',
    path: '/_bulk',
    lines: [
      { index: { _index: 'fuzz', _id: '1' } },
      documents[0],
      { create: { _index: 'fuzz-b' } },
      documents[1],
      { update: { _index: 'fuzz', _id: '1' } },
      { doc: { status: 1 }, doc_as_upsert: true },
      { delete: { _index: 'fuzz', _id: '9' } },
    ],
  },
  ...documents.map((body) => ({ method: 'POST', path: '/fuzz/_doc', body })),
  { method: 'PUT', path: '/fuzz/_doc/1?version_type=external&version=900000', body: documents[0] },
  {
    method: 'POST',
    path: '/fuzz/_update/1',
    body: { script: { source: 'ctx._source.n = (ctx._source.n ?: 0) + params.by', params: { by: 1 } }, upsert: {} },
  },
  { method: 'POST', path: '/_mget', body: { docs: [{ _index: 'fuzz', _id: '1', _source: ['host'] }] } },
  {
    method: 'POST',
    path: '/fuzz/_update_by_query?conflicts=proceed',
    body: { query: { term: { status: 404 } }, script: { source: "ctx._source['x'] = 1" }, max_docs: 5 },
  },
  { method: 'POST', path: '/fuzz/_delete_by_query', body: { query: { term: { status: 999 } } } },
  {
    method: 'POST',
    path: '/_reindex',
    body: {
      source: { index: 'fuzz', query: { term: { ok: true } }, size: 10 },
      dest: { index: 'fuzz-copy', op_type: 'index' },
      max_docs: 3,
    },
  },
  {
    method: 'PUT',
    path: '/fuzz-new',
    body: {
      settings: { number_of_replicas: 0, 'index.max_result_window': 100 },
      mappings,
      aliases: { 'fuzz-alias': { filter: { term: { ok: true } } } },
    },
  },
  {
    method: 'PUT',
    path: '/fuzz/_mapping',
    body: {
      properties: { added: { type: 'keyword', fields: { t: { type: 'text' } } } },
      dynamic_templates: [{ s: { match_mapping_type: 'string', mapping: { type: 'keyword' } } }],
    },
  },
  { method: 'PUT', path: '/fuzz-b/_settings', body: { index: { refresh_interval: '5s', number_of_replicas: 1 } } },
  {
    method: 'PUT',
    path: '/_index_template/fuzz-t',
    body: {
      index_patterns: ['fuzz-t-*'],
      priority: 7,
      template: { mappings, settings: { number_of_shards: 1 } },
      composed_of: [],
      data_stream: {},
    },
  },
  {
    method: 'PUT',
    path: '/_component_template/fuzz-c',
    body: { template: { mappings: { properties: { a: { type: 'long' } } } } },
  },
  {
    method: 'POST',
    path: '/_aliases',
    body: {
      actions: [
        { add: { index: 'fuzz', alias: 'fuzz-one', is_write_index: true } },
        { remove: { index: 'fuzz', alias: 'fuzz-none', must_exist: false } },
      ],
    },
  },
  {
    method: 'PUT',
    path: '/_ingest/pipeline/fuzz-p',
    body: {
      processors: [
        { set: { field: 'a.b', value: '{{message}}' } },
        { grok: { field: 'message', patterns: ['%{WORD:w} %{GREEDYDATA:r}'], ignore_failure: true } },
        { date: { field: 't', formats: ['ISO8601'], ignore_failure: true } },
      ],
    },
  },
  {
    method: 'POST',
    path: '/_ingest/pipeline/_simulate',
    body: {
      pipeline: {
        processors: [
          { dissect: { field: 'm', pattern: '%{a} %{b}' } },
          { script: { source: 'ctx.n = ctx.m.length()' } },
          { rename: { field: 'a', target_field: 'c' } },
        ],
      },
      docs: [{ _source: { m: 'x y' } }],
    },
  },
  { method: 'POST', path: '/fuzz/_analyze', body: { analyzer: 'standard', text: ['One two-three', 'four'] } },
  { method: 'GET', path: '/fuzz/_field_caps?fields=*', body: { index_filter: day } },
  { method: 'POST', path: '/fuzz/_termvectors/1', body: { fields: ['mess*'], filter: { max_num_terms: 3 } } },
  { method: 'POST', path: '/_mtermvectors', body: { docs: [{ _index: 'fuzz', _id: '1' }] } },
  { method: 'GET', path: '/fuzz/_explain/1', body: { query: { match: { message: 'failed' } } } },
  { method: 'GET', path: '/fuzz/_validate/query?explain=true', body: { query: day } },
  {
    method: 'POST',
    path: '/fuzz/_search/template',
    body: { source: '{"query":{"term":{"status":"{{v}}"}}}', params: { v: 200 } },
  },
  {
    method: 'POST',
    path: '/_security/user/fuzz-u',
    body: { password: 'long-enough-password', roles: ['viewer'], full_name: 'F' },
  },
  {
    method: 'PUT',
    path: '/_security/role/fuzz-r',
    body: {
      cluster: ['monitor'],
      indices: [
        { names: ['fuzz*'], privileges: ['read'], query: { term: { ok: true } }, field_security: { grant: ['*'] } },
      ],
    },
  },
  {
    method: 'POST',
    path: '/_security/user/_has_privileges',
    body: { cluster: ['monitor'], index: [{ names: ['fuzz'], privileges: ['read'] }] },
  },
  {
    method: 'PUT',
    path: '/_ilm/policy/fuzz-i',
    body: {
      policy: {
        phases: {
          hot: { actions: { rollover: { max_age: '1d', max_docs: 100 } } },
          delete: { min_age: '30d', actions: { delete: {} } },
        },
      },
    },
  },
  { method: 'GET', path: '/_cat/indices/fuzz*?v&h=index,docs.count&s=index&format=json' },
  { method: 'GET', path: '/fuzz/_mapping/field/host.*?filter_path=**.type&pretty' },
  { method: 'GET', path: '/fuzz/_stats/docs,store?level=shards&human' },
  { method: 'GET', path: '/_cluster/state/metadata/fuzz' },
]
