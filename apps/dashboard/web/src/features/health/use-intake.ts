import { useQuery } from '@tanstack/react-query'
import { type SearchAnswer, search } from '../../api/search.ts'

const refreshMs = 30_000
const shownMax = 20
const hostsMax = 50

/** Events of a host and data set that no decoder understood, in the last hour. */
export interface UnreadSource {
  readonly host: string
  readonly dataset: string
  readonly events: number
  readonly unparsed: number
}

/** Messages that were lost on their way in, in the last hour. */
export interface InputLoss {
  readonly input: string
  readonly place: string
  readonly lost: number
}

export interface Intake {
  readonly unread: readonly UnreadSource[]
  readonly losses: readonly InputLoss[]
}

const lastHour = { range: { '@timestamp': { gte: 'now-1h' } } }

function question(aggregation: unknown): unknown {
  return { size: 0, track_total_hits: false, query: { bool: { filter: [lastHour] } }, aggs: { by: aggregation } }
}

const sum = (field: string): unknown => ({ sum: { field } })
const terms = (field: string, size: number, aggs: unknown, order?: object): unknown => ({
  terms: { field, size, ...(order ? { order } : {}) },
  aggs,
})

/** What endpoint-manager counted of events that it did not understand, and of messages that were lost. */
export function useIntake() {
  return useQuery({
    queryKey: ['health', 'intake'],
    refetchInterval: refreshMs,
    queryFn: async ({ signal }): Promise<Intake> => {
      const counts = { events: sum('logstack.source.events'), unparsed: sum('logstack.source.unparsed') }
      // Those with the most of what was not understood: every host is counted once a minute, so that all are equally frequent.
      const worst = { unparsed: 'desc' }
      const sources = terms(
        'logstack.source.dataset',
        hostsMax,
        {
          unparsed: counts.unparsed,
          inner: terms('host.name', hostsMax, counts, worst),
        },
        worst,
      )
      const inputs = terms('logstack.input.name', shownMax, {
        inner: terms('logstack.input.place', shownMax, { lost: sum('logstack.input.lost') }),
      })
      const [unread, losses] = await Promise.all([
        search('metrics-logstack.sources-*', question(sources), signal),
        search('metrics-logstack.inputs-*', question(inputs), signal),
      ])
      return intakeOf(unread, losses)
    },
  })
}

interface Bucket {
  readonly key: string
  readonly inner: { readonly buckets: readonly InnerBucket[] }
}

interface InnerBucket {
  readonly key: string
  readonly events?: { readonly value: number }
  readonly unparsed?: { readonly value: number }
  readonly lost?: { readonly value: number }
}

/** Reads both answers; the most first. */
export function intakeOf(sources: SearchAnswer, inputs: SearchAnswer): Intake {
  const unread = pairsOf(sources)
    .map(({ outer, inner }) => ({
      dataset: outer,
      host: inner.key,
      events: inner.events?.value ?? 0,
      unparsed: inner.unparsed?.value ?? 0,
    }))
    .filter(({ unparsed }) => unparsed > 0)
    .sort((left, right) => right.unparsed - left.unparsed)
  const losses = pairsOf(inputs)
    .map(({ outer, inner }) => ({ input: outer, place: inner.key, lost: inner.lost?.value ?? 0 }))
    .sort((left, right) => right.lost - left.lost)
  return { unread: unread.slice(0, shownMax), losses }
}

// Without an index there are no aggregations in the answer.
function pairsOf({ aggregations }: SearchAnswer): { readonly outer: string; readonly inner: InnerBucket }[] {
  const { buckets } = (aggregations?.['by'] ?? { buckets: [] }) as { readonly buckets: readonly Bucket[] }
  return buckets.flatMap(({ key, inner }) => inner.buckets.map((bucket) => ({ outer: key, inner: bucket })))
}
