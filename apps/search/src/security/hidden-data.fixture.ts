/** What every hidden value begins with, as one word of text. */
export const hidden = 'zqhidden'

const keyword = { type: 'keyword' }
const text = { type: 'text', fields: { raw: keyword }, copy_to: 'everything' }

export const properties = {
  team: keyword,
  owner: keyword,
  level: keyword,
  open: text,
  secret: text,
  everything: { type: 'text' },
  n: { type: 'long' },
  parts: { type: 'nested', properties: { secret: keyword, open: keyword } },
  done: { type: 'completion' },
  _own: keyword,
  kept: { type: 'keyword', store: true },
  labels: { type: 'flattened' },
  other: { type: 'alias', path: 'secret.raw' },
} as const

const parts = [{ secret: hidden, open: 'part' }]
const ofField = { secret: `${hidden} one`, _own: hidden, kept: hidden, labels: { host: hidden }, level: 'low' }

/** Of the first document single fields are hidden, the second as a whole. */
export const documents = {
  1: { team: 'a', owner: 'named', open: 'shown words', n: 1, parts, done: 'shown', ...ofField },
  2: {
    team: 'b',
    owner: 'nobody',
    open: `${hidden} two`,
    n: 2,
    parts,
    done: `${hidden} done`,
    ...ofField,
    level: 'high',
  },
} as const

export const hiddenFields = ['secret', 'everything', 'parts.secret', '_own', 'kept', 'labels', 'level']

const script = (source: string) => ({ script: { source, lang: 'painless' } })
const ofScript = (source: string) => ({ script: script(source) })
const emitted = (source: string) => ({ runtime_mappings: { r: { type: 'keyword', ...script(source) } } })
const rawOf = (field: string) => `doc['${field}'].size() == 0 ? '' : doc['${field}'].value`
const sized = (a: object) => ({ size: 0, aggs: { a } })
const metricOf = (value: string) => ({
  scripted_metric: {
    map_script: `state[doc['_id'].value] = ${value}`,
    combine_script: 'state',
    reduce_script: 'states',
  },
})

/** Bodies of searches that show what is hidden to whom nothing is. */
export const bodies: Readonly<Record<string, object>> = {
  all: {},
  'fields by patterns': { fields: ['s*', 'o*', 'parts*', '_own', 'kept'], _source: false },
  'fields that are not mapped': { fields: [{ field: 'secret*', include_unmapped: true }], _source: false },
  docvalue_fields: { docvalue_fields: ['secret.raw', 'open.raw', '_own'], _source: false },
  stored_fields: { stored_fields: ['kept'], _source: false },
  alias: { fields: ['other'], _source: false },
  '_source includes': { _source: ['secret*', 'parts*'] },
  highlight: {
    _source: false,
    query: { query_string: { query: `${hidden}*` } },
    highlight: { fields: { '*': {} }, require_field_match: false },
  },
  terms: sized({ terms: { field: 'secret.raw' } }),
  'terms of a field with an underscore': sized({ terms: { field: '_own' } }),
  'terms of documents': sized({ terms: { field: 'open.raw', min_doc_count: 0 } }),
  'terms of a flattened field': sized({ terms: { field: 'labels.host' } }),
  'rare terms': sized({ rare_terms: { field: 'open.raw' } }),
  multi_terms: sized({ multi_terms: { terms: [{ field: 'secret.raw' }, { field: 'team' }] } }),
  global: sized({ global: {}, aggs: { b: { terms: { field: 'open.raw' } } } }),
  'top hits': sized({ top_hits: { _source: true, size: 10 } }),
  'top hits of one field': sized({ top_hits: { _source: ['secret'], size: 10 } }),
  'top metrics': sized({ top_metrics: { metrics: { field: 'secret.raw' }, sort: { n: 'desc' } } }),
  significant: { ...sized({ significant_terms: { field: 'open.raw', min_doc_count: 1 } }), query: { term: { n: 2 } } },
  'significant text': {
    ...sized({ significant_text: { field: 'open', min_doc_count: 1 } }),
    query: { term: { team: 'b' } },
  },
  filters: sized({ filters: { filters: { x: { match_all: {} } } }, aggs: { b: { terms: { field: 'secret.raw' } } } }),
  composite: sized({ composite: { sources: [{ s: { terms: { field: 'secret.raw' } } }] } }),
  nested: sized({ nested: { path: 'parts' }, aggs: { b: { terms: { field: 'parts.secret' } } } }),
  'a script of values': sized({ terms: script(rawOf('secret.raw')) }),
  'scripted metric': sized(metricOf(rawOf('secret.raw'))),
  'scripted metric of the source': sized(metricOf("params['_source']['secret']")),
  'scripted metric of documents': sized(metricOf(rawOf('open.raw'))),
  sampler: sized({ sampler: {}, aggs: { b: { terms: { field: 'secret.raw' } } } }),
  'inner hits': { _source: false, query: { nested: { path: 'parts', query: { match_all: {} }, inner_hits: {} } } },
  collapse: { collapse: { field: 'secret.raw' } },
  'inner hits of groups': {
    collapse: { field: 'n', inner_hits: { name: 'i', _source: ['secret', 'open'] } },
    _source: false,
  },
  sort: { sort: [{ 'secret.raw': { order: 'asc', unmapped_type: 'keyword' } }], _source: false },
  'script field': { script_fields: { s: script(rawOf('secret.raw')) } },
  'script field of the source': {
    script_fields: { s: script("params['_source'] == null ? '' : params['_source']['secret']") },
  },
  'script sort': { _source: false, sort: { _script: { type: 'string', ...script(rawOf('secret.raw')) } } },
  'a script that fails by a document': {
    query: ofScript(`if (doc['n'].value == 2) throw new IllegalArgumentException(${rawOf('open.raw')}); return true`),
  },
  'a script that fails by a field': {
    query: ofScript(`throw new IllegalArgumentException(${rawOf('secret.raw')})`),
  },
  'runtime field': { ...emitted(`emit(${rawOf('secret.raw')})`), fields: ['r'], _source: false },
  'runtime field of the source': {
    ...emitted("emit(params._source['secret'] == null ? '' : params._source['secret'])"),
    fields: ['r'],
    _source: false,
  },
  'runtime aggregation': { ...emitted(`emit(${rawOf('secret.raw')})`), ...sized({ terms: { field: 'r' } }) },
  'runtime field in place of those that roles look at': {
    runtime_mappings: {
      team: { type: 'keyword', ...script("emit('a')") },
      owner: { type: 'keyword', ...script("emit('named')") },
      level: { type: 'keyword', ...script("emit('low')") },
    },
    query: { bool: { filter: [{ term: { team: 'a' } }, { term: { owner: 'named' } }] } },
    sort: ['n'],
  },
  'term suggester of a field': {
    ...{ size: 0, suggest: { s: { text: 'zqhiddem', term: { field: 'secret', suggest_mode: 'always' } } } },
  },
  'term suggester of documents': {
    ...{ size: 0, suggest: { s: { text: 'zqhiddem', term: { field: 'open', suggest_mode: 'always' } } } },
  },
  'phrase suggester': {
    size: 0,
    suggest: {
      s: {
        text: 'zqhiddem two',
        phrase: { field: 'open', direct_generator: [{ field: 'open', suggest_mode: 'always' }], max_errors: 2 },
      },
    },
  },
  'completion suggester': { size: 0, suggest: { s: { prefix: 'zq', completion: { field: 'done' } } } },
  rescore: {
    query: { match_all: {} },
    rescore: { window_size: 5, query: { rescore_query: { match: { open: 'words' } } } },
  },
}

/** Queries that find documents by what is hidden. */
export const probes: Readonly<Record<string, object>> = {
  match: { match: { secret: hidden } },
  'multi-field': { prefix: { 'secret.raw': hidden } },
  alias: { prefix: { other: hidden } },
  copied: { match: { everything: hidden } },
  exists: { exists: { field: 'secret' } },
  flattened: { term: { labels: hidden } },
  'a key of a flattened field': { term: { 'labels.host': hidden } },
  'a field with an underscore': { term: { _own: hidden } },
  query_string: { query_string: { query: hidden } },
  'query_string of a field': { query_string: { query: `secret:${hidden}` } },
  simple_query_string: { simple_query_string: { query: hidden, fields: ['*'] } },
  multi_match: { multi_match: { query: hidden, fields: ['*'] } },
  combined_fields: { combined_fields: { query: hidden, fields: ['secret'] } },
  wildcard: { wildcard: { 'secret.raw': '*hidden*' } },
  regexp: { regexp: { 'secret.raw': '.*hidden.*' } },
  fuzzy: { fuzzy: { secret: 'zqhiddem' } },
  match_phrase: { match_phrase: { secret: `${hidden} one` } },
  intervals: { intervals: { secret: { match: { query: hidden } } } },
  span_term: { span_term: { secret: hidden } },
  range: { range: { 'secret.raw': { gte: hidden } } },
  nested: { nested: { path: 'parts', query: { term: { 'parts.secret': hidden } } } },
  script: { script: script("doc['secret.raw'].size() > 0") },
  function_score: {
    function_score: {
      query: { match_all: {} },
      functions: [{ filter: { exists: { field: 'secret' } }, weight: 5 }],
      min_score: 2,
    },
  },
  'the field of a role': { bool: { filter: [{ exists: { field: 'level' } }] } },
  'other documents': { term: { team: 'b' } },
  ids: { ids: { values: ['2'] } },
  'terms lookup of a document': { terms: { 'open.raw': { index: 'logs-web', id: '2', path: 'open' } } },
}

/** What is asked by GET, below the index. */
export const reads: readonly string[] = [
  '/_doc/1',
  '/_doc/2',
  '/_doc/1?stored_fields=kept',
  '/_doc/1?_source_includes=secret',
  '/_source/1',
  '/_source/2',
  '/_termvectors/1?fields=*',
  '/_termvectors/2?fields=*',
  '/_mtermvectors?ids=1,2&fields=*',
  '/_search?q=*:*',
  `/_search?q=${hidden}*`,
  '/_explain/1?q=shown&_source=true',
]

const when = { type: 'date', script: { source: "emit(doc['n'].value)" } }
const timed = { timestamp_field: 'when', runtime_mappings: { when } }

/** What is asked by POST, below the index. */
export const posts: Readonly<Record<string, object>> = {
  '/_mget': { ids: ['1', '2'] },
  '/_mget?_source_includes=secret': { docs: [{ _id: '1' }, { _id: '2' }] },
  '/_search/template': { source: { query: { match: { secret: '{{word}}' } } }, params: { word: hidden } },
  '/_explain/1': { query: { match: { secret: hidden } } },
  '/_terms_enum': { field: 'open.raw', size: 1_000 },
  '/_terms_enum?': { field: 'secret.raw', size: 1_000 },
  '/_eql/search': { query: 'any where secret != null', ...timed },
  '/_eql/search?': { query: 'any where true', fields: ['*'], ...timed },
  '/_eql/search?keep_alive=1m': { query: 'sample by secret.raw [any where true] [any where true]' },
  '/_termvectors': { doc: { secret: hidden, open: 'x' }, fields: ['secret'] },
}
