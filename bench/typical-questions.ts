// What dashboards, people and programs ask of days of logs in the shape of the big5 workload, by `daily-indices.ts`.

type Body = Readonly<Record<string, unknown>>
/** Name, body, and the indices where it is not all. */
export type Question = readonly [name: string, body: Body, index?: string]

const newest = [{ '@timestamp': { order: 'desc', unmapped_type: 'boolean' } }]
const during = (gte: string, lt: string): Body => ({ range: { '@timestamp': { gte, lt } } })
const text = (query: string): Body => ({ query_string: { query } })
const allDays = during('2023-01-01T00:00:00Z', '2023-01-31T00:00:00Z')
const oneDay = during('2023-01-05T00:00:00Z', '2023-01-06T00:00:00Z')

/** As Kibana's Discover asks: the newest hundreds, how many, and when. */
function discover(filter?: Body, time: Body = allDays): Body {
  const query = { bool: { filter: [time, ...(filter ? [filter] : [])] } }
  const aggs = { time: { auto_date_histogram: { field: '@timestamp', buckets: 50 } } }
  return { size: 500, track_total_hits: true, sort: newest, query, aggs }
}

const aggregate = (a: Body, query?: Body): Body => ({ size: 0, ...(query ? { query } : {}), aggs: { a } })
const terms = (field: string, size = 10, more: Body = {}): Body => aggregate({ terms: { field, size, ...more } })
const every = (fixed_interval: string): Body => ({ date_histogram: { field: '@timestamp', fixed_interval } })
const ten = (query: Body): Body => ({ size: 10, query })
const sources = (...fields: string[]): Body[] => fields.map((field, at) => ({ [`s${at}`]: { terms: { field } } }))
const threeNewest = { top_hits: { size: 3, sort: newest } }
const gauss = { gauss: { '@timestamp': { origin: '2023-01-05', scale: '1d' } } }
const scripted = { script: { source: "doc['metrics.size'].value / 1024" } }

const oneIndex = 'bench-big5-2023.01.04'

export const questions: readonly Question[] = [
  ['ten of all', { size: 10 }],
  ['newest 500', { size: 500, sort: newest }],
  ['ten largest', { size: 10, sort: [{ 'metrics.size': 'desc' }] }],
  ['page at 9,990', { from: 9990, size: 10, sort: newest }],
  ['Discover of all', discover()],
  ['Discover of a day', discover(undefined, oneDay)],
  ['Discover of 15 minutes', discover(undefined, during('2023-01-08T10:00:00Z', '2023-01-08T10:15:00Z'))],
  ['Discover of a host', discover({ term: { 'host.name': 'host-17' } })],
  ['Discover of a word', discover(text('monkey'))],
  ['Discover of a word and a term', discover(text('monkey AND process.name:sshd'))],
  ['Discover of a word that is nowhere', discover(text('doesnotexistatall'))],
  ['Discover of *onkey*', discover(text('*onkey*'))],
  ['Discover of a phrase', discover({ match_phrase: { message: 'monkey jackal' } })],
  ['Discover of words not there', discover({ bool: { must_not: [{ match: { message: 'monkey jackal' } }] } })],
  ['histogram by the hour', aggregate(every('1h'))],
  ['histogram with terms', aggregate({ ...every('3h'), aggs: { b: { terms: { field: 'process.name' } } } })],
  ['terms', terms('process.name')],
  ['terms, 500', terms('aws.cloudwatch.log_stream', 500)],
  [
    'terms by an average',
    aggregate({
      terms: { field: 'host.name', size: 20, order: { m: 'desc' } },
      aggs: { m: { avg: { field: 'metrics.size' } } },
    }),
  ],
  [
    'terms in terms in time',
    aggregate({
      ...every('1d'),
      aggs: { b: { terms: { field: 'cloud.region' }, aggs: { c: { terms: { field: 'process.name' } } } } },
    }),
  ],
  ['terms of an id', terms('trace_id')],
  ['cardinality of an id', aggregate({ cardinality: { field: 'trace_id' } })],
  ['cardinality of hosts', aggregate({ cardinality: { field: 'host.name' } })],
  ['percentiles', aggregate({ percentiles: { field: 'metrics.size' } })],
  ['extended_stats', aggregate({ extended_stats: { field: 'metrics.tmin' } })],
  [
    'filters of words',
    aggregate({
      filters: { filters: { a: text('monkey'), b: text('jackal'), c: { term: { 'process.name': 'sshd' } } } },
    }),
  ],
  ['composite of two', aggregate({ composite: { size: 1000, sources: sources('host.name', 'process.name') } })],
  ['composite of an id', aggregate({ composite: { size: 1000, sources: sources('trace_id') } })],
  ['multi_terms', aggregate({ multi_terms: { terms: [{ field: 'host.name' }, { field: 'process.name' }] } })],
  ['significant_terms', aggregate({ significant_terms: { field: 'host.name' } }, { term: { 'process.name': 'sshd' } })],
  ['rare_terms', aggregate({ rare_terms: { field: 'host.name' } })],
  ['top_hits of terms', aggregate({ terms: { field: 'process.name' }, aggs: { t: threeNewest } })],
  ['collapse', { size: 10, collapse: { field: 'host.name' }, sort: newest }],
  ['best of three words', ten({ match: { message: 'monkey jackal bear' } })],
  ['best of a phrase', ten({ match_phrase: { message: 'monkey jackal' } })],
  ['best of a word by time', ten({ function_score: { query: { match: { message: 'monkey' } }, functions: [gauss] } })],
  ['prefix', ten({ prefix: { message: 'monk' } })],
  ['wildcard', ten({ wildcard: { message: '*onke*' } })],
  ['regexp', ten({ regexp: { message: 'mon[a-k]ey.*' } })],
  ['fuzzy', ten({ fuzzy: { message: 'monkye' } })],
  ['wildcard of a keyword', ten({ wildcard: { 'host.name': '*-17*' } })],
  ['an id that is nowhere', ten({ term: { trace_id: '00000000000000000000000000000000' } })],
  ['documents by ids', ten({ ids: { values: ['a', 'b'] } })],
  ['without a field', ten({ bool: { must_not: { exists: { field: 'trace_id' } } } })],
  ['range of a number', ten({ range: { 'metrics.size': { gte: 9990 } } })],
  ['term in a day', ten({ bool: { filter: [oneDay, { term: { 'process.name': 'kernel' } }] } })],
  ['terms of one index', terms('host.name', 100), oneIndex],
  ['newest 100 of one index', { size: 100, sort: newest }, oneIndex],
  ['sum of a script', aggregate({ sum: scripted })],
]
