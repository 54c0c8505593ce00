// Ten searches of the big5 workload under their names there, one or two of each class; and how they are timed.

const day = (from, to) => ({ range: { '@timestamp': { gte: from, lt: to } } })
const twoDays = day('2023-01-01T00:00:00Z', '2023-01-03T00:00:00Z')

/** Name and body of each search. */
export const searches = [
  ['match-all', { query: { match_all: {} } }],
  ['term', { query: { term: { 'process.name': 'sshd' } } }],
  ['keyword-in-range', { query: { bool: { must: [twoDays, { match: { 'process.name': 'kernel' } }] } } }],
  ['desc_sort_timestamp', { query: { match_all: {} }, sort: [{ '@timestamp': 'desc' }] }],
  ['desc_sort_timestamp-500', { size: 500, query: { match_all: {} }, sort: [{ '@timestamp': 'desc' }] }],
  ['sort_numeric_desc', { track_total_hits: false, query: { match_all: {} }, sort: [{ 'metrics.size': 'desc' }] }],
  [
    'date_histogram_hourly_agg',
    { size: 0, aggs: { by_hour: { date_histogram: { field: '@timestamp', calendar_interval: 'hour' } } } },
  ],
  ['keyword-terms', { size: 0, aggs: { station: { terms: { field: 'aws.cloudwatch.log_stream', size: 500 } } } }],
  ['cardinality-agg-high', { size: 0, aggs: { agent: { cardinality: { field: 'agent.name' } } } }],
  ['query-string-on-message', { query: { query_string: { query: 'message: (monkey OR jackal OR bear)' } } }],
]

const warmUps = 5
const runs = 30

/** The median milliseconds of `runs` calls after warming up. */
export async function medianMs(call) {
  for (let round = 0; round < warmUps; round += 1) await call()
  const times = []
  for (let round = 0; round < runs; round += 1) {
    const from = performance.now()
    await call()
    times.push(performance.now() - from)
  }
  return times.sort((left, right) => left - right)[Math.floor(runs / 2)]
}
