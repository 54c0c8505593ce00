import type { SearchAnswer } from '../../../../api/search.ts'
import { jsonObject } from '../../../../kibana/saved-json.ts'
import { limits } from '../language/limits.ts'
import { type Point, plainSeries, type Series } from '../language/series.ts'
import { TimelionError } from '../language/tree.ts'
import { type EsQuestion, type Metric, names } from './question.ts'

type Node = Readonly<Record<string, unknown>>

/** The series of an answer, called as Kibana calls them (`q:* > host.name:web-1 > avg(bytes)`): patterns of `.label()` rely on that. */
export function seriesOf(question: EsQuestion, { aggregations = {} }: SearchAnswer): Series[] {
  const { queries } = question
  const tops = queries.length === 1 ? [aggregations] : bucketsOf(aggregations[names.queries])
  const found = tops.flatMap((top, at) => {
    const query = queries[at] ?? '*'
    return ofSplit(question, top, { level: 0, path: [`q:${query}`], split: query })
  })
  if (found.length > limits.series)
    throw new TimelionError(`The search found ${found.length} series: at most ${limits.series} are drawn`)
  return found
}

interface Place {
  readonly level: number
  readonly path: readonly string[]
  readonly split: string
}

function ofSplit(question: EsQuestion, node: Node, { level, path, split }: Place): Series[] {
  const here = question.splits[level]
  if (!here) return ofTime(question, bucketsOf(node[names.time]), path, split)
  return bucketsOf(node[names.split(level)]).flatMap((bucket) => {
    const key = String(bucket['key_as_string'] ?? bucket['key'])
    return ofSplit(question, bucket, { level: level + 1, path: [...path, `${here.field}:${key}`], split: key })
  })
}

function ofTime({ metrics }: EsQuestion, buckets: readonly Node[], path: readonly string[], split: string): Series[] {
  return metrics.flatMap((metric, at) =>
    numbersOf(metric, at, buckets).map(({ name, readFrom }) => {
      const points = buckets.map((bucket): Point => [Number(bucket['key']), numberOf(readFrom(bucket))])
      return plainSeries([...path, name].join(' > '), points, split)
    }),
  )
}

interface MetricNumber {
  readonly name: string
  readonly readFrom: (bucket: Node) => unknown
}

/** The numbers that a metric has of each bucket: percentiles have several. */
function numbersOf({ type, field }: Metric, at: number, buckets: readonly Node[]): MetricNumber[] {
  if (field === undefined) return [{ name: 'count', readFrom: (bucket) => bucket['doc_count'] }]
  const answerOf = (bucket: Node): Node => jsonObject(bucket[names.metric(at)])
  const name = `${type}(${field})`
  if (type !== 'percentiles') return [{ name, readFrom: (bucket) => answerOf(bucket)['value'] }]
  const keys = Object.keys(jsonObject(answerOf(buckets[0] ?? {})['values']))
  return keys.map((key) => ({
    name: `${name}:${key}`,
    readFrom: (bucket) => jsonObject(answerOf(bucket)['values'])[key],
  }))
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function bucketsOf(aggregation: unknown): readonly Node[] {
  const { buckets } = jsonObject(aggregation)
  return Array.isArray(buckets) ? (buckets as readonly Node[]) : []
}
