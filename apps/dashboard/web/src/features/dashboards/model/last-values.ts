import type { Cell, HitsCombination, MetricSpec } from './table.ts'

/** The cell of a `top_hits` answer: the field of its documents, several of them as the metric says. */
export function combinedHits(metric: MetricSpec, answer: Record<string, unknown> | undefined): Cell {
  const hits = (answer?.['hits'] as { hits?: { _source?: Record<string, unknown> }[] } | undefined)?.hits ?? []
  const values = hits.map(({ _source }) => valueAt(_source, metric.field ?? '')).filter((value) => value !== null)
  const [first = null] = values
  if (values.length < 2 || metric.combine === undefined) return first
  if (metric.combine === 'concat') return values.join(', ')
  const numbers = values.map(Number).filter((value) => Number.isFinite(value))
  return numbers.length === 0 ? null : combinations[metric.combine](numbers)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const combinations: Readonly<Record<Exclude<HitsCombination, 'concat'>, (values: readonly number[]) => number>> = {
  sum,
  average: (values) => sum(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
}

/** A field of a source, whose path may be one key or several; of several values the first. */
function valueAt(source: Record<string, unknown> | undefined, path: string): Cell {
  let found: unknown = source
  if (source !== undefined && path in source) found = source[path]
  else for (const key of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[key]
  const [value = null] = Array.isArray(found) ? found : [found]
  return typeof value === 'number' || typeof value === 'string' ? value : null
}
