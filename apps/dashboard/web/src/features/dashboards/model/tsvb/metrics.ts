import { type Json, jsonArray, number, text } from '../../../../kibana/saved-json.ts'
import { intervalOf } from '../../../../time/interval.ts'
import { parseScript } from '../derived/parse-script.ts'
import type { SequenceName } from '../derived/sequences.ts'
import { queriesOf } from '../saved-queries.ts'
import type { CollapseFunction, DerivedSpec, HitsCombination, MetricSpec } from '../table.ts'

/** The metrics of a series: what search is asked, what is calculated from it, and which columns are shown. */
export interface SeriesMetrics {
  readonly metrics: readonly MetricSpec[]
  readonly derived: readonly DerivedSpec[]
  /** The columns that the series shows: those of its last metric. */
  readonly values: readonly string[]
  /** How the series of a split become one. */
  readonly collapse: CollapseFunction | undefined
  /** Kinds of metrics that are not known, and scripts that are more than arithmetic. */
  readonly unknown: readonly string[]
}

interface Part {
  readonly metrics?: readonly MetricSpec[]
  readonly derived?: readonly DerivedSpec[]
  readonly values: readonly string[]
}

/** Reads the chain of metrics of a series. */
export function seriesMetrics(saved: readonly Json[], label: string, timeField: string): SeriesMetrics {
  const aggregate = saved.find((metric) => metric['type'] === 'series_agg')
  const chain = saved.filter((metric) => metric['type'] !== 'series_agg')
  const parts = chain.map((metric) => partOf(metric, label, timeField))
  return {
    metrics: parts.flatMap((part) => part?.metrics ?? []),
    derived: parts.flatMap((part) => part?.derived ?? []),
    values: parts.at(-1)?.values ?? [],
    collapse: aggregate ? (collapses[text(aggregate['function']) ?? 'sum'] ?? 'sum') : undefined,
    unknown: chain.flatMap((metric, at) => (parts[at] ? [] : [text(metric['type']) ?? '?'])),
  }
}

const collapses: Readonly<Record<string, CollapseFunction>> = { sum: 'sum', max: 'max', min: 'min', mean: 'avg' }

const plain: Readonly<Record<string, MetricSpec['type']>> = {
  count: 'count',
  avg: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  cardinality: 'cardinality',
  value_count: 'value_count',
  std_deviation: 'standard_deviation',
}

/** Calculations along the buckets, by their names in TSVB. */
const sequences: Readonly<Record<string, SequenceName>> = {
  derivative: 'differences',
  serial_diff: 'differences',
  positive_only: 'positive_only',
  cumulative_sum: 'cumulative_sum',
  moving_average: 'trailing_average',
  sum_bucket: 'overall_sum',
  avg_bucket: 'overall_average',
  min_bucket: 'overall_min',
  max_bucket: 'overall_max',
}

function partOf(metric: Json, label: string, timeField: string): Part | undefined {
  const id = text(metric['id']) ?? ''
  const type = text(metric['type']) ?? ''
  const field = text(metric['field'])
  const known = plain[type]
  if (known)
    return { metrics: [{ id, label, type: known, field: known === 'count' ? undefined : field }], values: [id] }
  const sequence = sequences[type]
  if (sequence) return { derived: sequenceSpecs(metric, id, label, sequence), values: [id] }
  switch (type) {
    case 'percentile':
      return severalOf(
        jsonArray(metric['percentiles']).flatMap(({ value }) => number(value) ?? []),
        (value) => ({
          id: `${id}[${value}]`,
          label: `${label} (${value})`,
          type: 'percentiles',
          field,
          percent: value,
        }),
      )
    case 'percentile_rank':
      return severalOf(numbersOf(metric['values'] ?? metric['value']), (value) => {
        return { id: `${id}[${value}]`, label: `${label} (${value})`, type: 'percentile_ranks', field, rankOf: value }
      })
    case 'top_hit':
      return { metrics: [topHit(metric, { id, label, field }, timeField)], values: [id] }
    case 'static':
      return { metrics: [{ id, label, type: 'static_value', staticValue: number(metric['value']) ?? 0 }], values: [id] }
    case 'filter_ratio':
      return filterRatio(metric, { id, label, field })
    case 'positive_rate':
      return positiveRate(metric, { id, label, field })
    case 'math':
    case 'calculation':
      return scripted(metric, id, label)
    default:
      return undefined
  }
}

function severalOf(values: readonly number[], make: (value: number) => MetricSpec): Part {
  const metrics = values.map(make)
  return { metrics, values: metrics.map(({ id }) => id) }
}

function numbersOf(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => number(one) ?? [])
}

interface Base {
  readonly id: string
  readonly label: string
  readonly field: string | undefined
}

const combinations: Readonly<Record<string, HitsCombination>> = {
  avg: 'average',
  sum: 'sum',
  min: 'min',
  max: 'max',
  concat: 'concat',
}

function topHit(metric: Json, base: Base, timeField: string): MetricSpec {
  return {
    ...base,
    type: 'last_value',
    sortField: text(metric['order_by']) || timeField,
    sortDirection: metric['order'] === 'asc' ? 'asc' : 'desc',
    hits: number(metric['size']) ?? 1,
    combine: combinations[text(metric['agg_with']) ?? ''],
  }
}

function sequenceSpecs(metric: Json, id: string, label: string, name: SequenceName): DerivedSpec[] {
  const of = columnOf(metric['field'])
  const window = number(metric[name === 'differences' ? 'lag' : 'window']) ?? (name === 'differences' ? 1 : 5)
  return [{ id, label, calculation: { type: 'sequence', name, of, window } }, ...perUnit(metric['unit'], id, label)]
}

/** Percentiles are referred to as `id[95.0]`. */
function columnOf(reference: unknown): string {
  const saved = text(reference) ?? ''
  return saved.replace(/\[([\d.]+)\]$/, (_, value: string) => `[${Number(value)}]`)
}

function perUnit(unit: unknown, id: string, label: string): DerivedSpec[] {
  const saved = text(unit) ?? ''
  if (!/^\d+(ms|[smhdw])$/.test(saved)) return []
  return [{ id, label, calculation: { type: 'rate', of: id, unitMs: intervalOf(saved, 0).ms } }]
}

function filterRatio(metric: Json, { id, label, field }: Base): Part {
  const type = plain[text(metric['metric_agg']) ?? 'count'] ?? 'count'
  const half = (name: string): MetricSpec => {
    const saved = metric[name]
    const [filter = { language: 'kuery', query: '' }] = queriesOf(
      typeof saved === 'string' ? { query: saved, language: 'lucene' } : saved,
    )
    return { id: `${id}:${name}`, label, type, field: type === 'count' ? undefined : field, filter }
  }
  const variable = (name: string) => ({ kind: 'variable', name: `${id}:${name}` }) as const
  const expression = { kind: 'call', name: 'divide', args: [variable('numerator'), variable('denominator')] } as const
  return {
    metrics: [half('numerator'), half('denominator')],
    derived: [{ id, label, calculation: { type: 'expression', expression, variables: {} } }],
    values: [id],
  }
}

function positiveRate(metric: Json, { id, label, field }: Base): Part {
  const of = `${id}:max`
  const step = (name: SequenceName, from: string): DerivedSpec => {
    return { id, label, calculation: { type: 'sequence', name, of: from, window: 1 } }
  }
  return {
    metrics: [{ id: of, label, type: 'max', field }],
    derived: [step('differences', of), step('positive_only', id), ...perUnit(metric['unit'], id, label)],
    values: [id],
  }
}

function scripted(metric: Json, id: string, label: string): Part | undefined {
  const expression = parseScript(text(metric['script']) ?? '')
  if (!expression) return undefined
  const variables = Object.fromEntries(
    jsonArray(metric['variables']).map(({ name, field }) => [text(name) ?? '', columnOf(field)]),
  )
  return { derived: [{ id, label, calculation: { type: 'expression', expression, variables } }], values: [id] }
}
