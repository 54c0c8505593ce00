// The searches of the big5 workload under their names there, of each class some, and ours (marked with *); and how they are timed.

const day = (from, to) => ({ range: { '@timestamp': { gte: from, lt: to } } })
const twoDays = day('2023-01-01T00:00:00Z', '2023-01-03T00:00:00Z')
const all = { match_all: {} }
const newest = [{ '@timestamp': 'desc' }]
const untracked = { track_total_hits: false }
const hours = { date_histogram: { field: '@timestamp', calendar_interval: 'hour' } }
const animals = { query_string: { query: 'message: (monkey OR jackal OR bear)' } }
const wordsOf = ['monkey', 'jackal', 'bear']
const sizes = {
  field: 'metrics.size',
  ranges: [{ to: 2000 }, { from: 2000, to: 5000 }, { from: 5000, to: 8000 }, { from: 8000 }],
}

const searches = [
  ['match-all', { query: all }],
  ['term', { query: { term: { 'process.name': 'sshd' } } }],
  ['range', { query: twoDays }],
  ['keyword-in-range', { query: { bool: { must: [twoDays, { match: { 'process.name': 'kernel' } }] } } }],
  ['absent-term*', { query: { match: { message: 'nobodyhasthis' } } }],
  ['desc_sort_timestamp', { query: all, sort: newest }],
  ['desc_sort_timestamp-500', { size: 500, query: all, sort: newest }],
  [
    'desc_sort_with_after_timestamp',
    { ...untracked, query: all, sort: newest, search_after: ['2023-01-01T23:59:58.000Z'] },
  ],
  ['sort_numeric_desc', { ...untracked, query: all, sort: [{ 'metrics.size': 'desc' }] }],
  [
    'desc_sort_timestamp_can_match_shortcut',
    { ...untracked, query: { match: { 'process.name': 'kernel' } }, sort: newest },
  ],
  ['date_histogram_hourly_agg', { size: 0, aggs: { by_hour: hours } }],
  [
    'date_histogram_hourly_with_filter_agg',
    { size: 0, query: { term: { 'process.name': 'systemd' } }, aggs: { by_hour: hours } },
  ],
  [
    'date_histogram_minute_agg',
    {
      size: 0,
      query: twoDays,
      aggs: { by_minute: { date_histogram: { field: '@timestamp', calendar_interval: 'minute' } } },
    },
  ],
  [
    'range-auto-date-histo-with-metrics',
    {
      size: 0,
      aggs: {
        sizes: {
          range: sizes,
          aggs: {
            date: {
              auto_date_histogram: { field: '@timestamp', buckets: 10 },
              aggs: {
                tmin: { min: { field: 'metrics.tmin' } },
                tavg: { avg: { field: 'metrics.size' } },
                tmax: { max: { field: 'metrics.size' } },
              },
            },
          },
        },
      },
    },
  ],
  ['keyword-terms', { size: 0, aggs: { station: { terms: { field: 'aws.cloudwatch.log_stream', size: 500 } } } }],
  [
    'multi_terms-keyword',
    {
      size: 0,
      query: day('2023-01-05T00:00:00Z', '2023-01-05T05:00:00Z'),
      aggs: { terms: { multi_terms: { terms: [{ field: 'process.name' }, { field: 'cloud.region' }] } } },
    },
  ],
  [
    'composite-terms',
    {
      size: 0,
      query: day('2023-01-02T00:00:00Z', '2023-01-02T10:00:00Z'),
      aggs: {
        logs: {
          composite: {
            sources: [
              { name: { terms: { field: 'process.name', order: 'desc' } } },
              { region: { terms: { field: 'cloud.region', order: 'asc' } } },
            ],
          },
        },
      },
    },
  ],
  ['cardinality-agg-high', { size: 0, aggs: { agent: { cardinality: { field: 'agent.name' } } } }],
  ['cardinality-agg-high-2', { size: 0, aggs: { agent: { cardinality: { field: 'event.id' } } } }],
  ['cardinality-trace-id*', { size: 0, aggs: { agent: { cardinality: { field: 'trace_id' } } } }],
  ['query-string-on-message', { query: animals }],
  [
    'query-string-on-message-filtered-sorted-num',
    {
      query: { bool: { must: [day('2023-01-03T00:00:00Z', '2023-01-03T10:00:00Z'), animals] } },
      sort: [{ '@timestamp': 'asc' }],
    },
  ],
  ['must-not-words*', { query: { bool: { must_not: wordsOf.map((message) => ({ match: { message } })) } } }],
  ['two-of-three-words*', { query: { match: { message: { query: wordsOf.join(' '), minimum_should_match: 2 } } } }],
  [
    'filters-of-words*',
    {
      size: 0,
      aggs: {
        words: { filters: { filters: wordsOf.map((message) => ({ match: { message } })) }, aggs: { by_hour: hours } },
      },
    },
  ],
  ['match_phrase*', { query: { match_phrase: { message: 'monkey jackal' } } }],
  [
    'discover-phrase*',
    {
      size: 500,
      track_total_hits: true,
      query: { bool: { filter: [{ match_phrase: { message: 'monkey jackal' } }] } },
      sort: newest,
      aggs: { time: { auto_date_histogram: { field: '@timestamp', buckets: 60 } } },
    },
  ],
  [
    'word-in-all-fields*',
    {
      size: 500,
      track_total_hits: true,
      query: { bool: { filter: [{ multi_match: { query: 'monkey', lenient: true } }] } },
      sort: newest,
    },
  ],
  [
    'wildcard-on-message*',
    { track_total_hits: true, query: { bool: { filter: [{ query_string: { query: 'message: *onkey*' } }] } } },
  ],
  ['fuzzy-on-message*', { query: { match: { message: { query: 'monkye', fuzziness: 'AUTO' } } } }],
  [
    'host-newest-500*',
    { size: 500, query: { bool: { filter: [{ term: { 'host.name': 'host-12' } }] } }, sort: newest },
  ],
  ['wildcard*', { query: { wildcard: { 'aws.cloudwatch.log_stream': '*onkey*' } } }],
  ['prefix*', { query: { prefix: { 'host.name': 'host-12' } } }],
  [
    'discover*',
    {
      size: 500,
      track_total_hits: true,
      query: { bool: { filter: [day('2023-01-04T00:00:00Z', '2023-01-11T00:00:00Z')] } },
      sort: newest,
      aggs: { time: { auto_date_histogram: { field: '@timestamp', buckets: 60 } } },
    },
  ],
]

/** Name and body of each search; `traceId` is that of one document. */
export function searchesFor(traceId) {
  return [...searches, ['needle-trace-id*', { query: { term: { trace_id: traceId } } }]]
}

/** What must be found among the documents of the corpus, counted while it was written; by the search's name. */
export const expectedOf = {
  term: (counts) => counts.sshd,
  range: (counts) => counts.twoDays,
  'keyword-in-range': (counts) => counts.kernelInTwoDays,
  'query-string-on-message': (counts) => counts.animals,
  'word-in-all-fields*': (counts) => counts.monkeys,
  'wildcard-on-message*': (counts) => counts.onkeys,
  'must-not-words*': (counts) => counts.documents - counts.animals,
  'needle-trace-id*': () => 1,
  'absent-term*': () => 0,
}

export const shareOf = (times, share) =>
  times.sort((left, right) => left - right)[Math.floor((times.length - 1) * share)]
