import type { Cell, HitsCombination, MetricSpec } from './table.ts'

/** The cell of a `top_hits` answer: the field of its documents, several of them as the metric says. */
export function combinedHits(metric: MetricSpec, answer: Record<string, unknown> | undefined): Cell {
  const hits = (answer?.['hits'] as { hits?: { fields?: Record<string, unknown[]> }[] } | undefined)?.hits ?? []
  const values = hits
    .map(({ fields }) => (fields?.[metric.field ?? ''] ?? []).map(cellOf))
    .filter(({ length }) => length > 0)
  if (metric.combine === 'concat' || metric.allValues) {
    const all = values.flat()
    return all.length > 1 ? all.join(', ') : (all[0] ?? null)
  }
  // Of several values of one document the first.
  const [first = null] = values.map(([value = null]) => value)
  if (values.length < 2 || metric.combine === undefined) return first
  const numbers = values.map(([value]) => Number(value)).filter((value) => Number.isFinite(value))
  return numbers.length === 0 ? null : combinations[metric.combine](numbers)
}

function cellOf(value: unknown): string | number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const combinations: Readonly<Record<Exclude<HitsCombination, 'concat'>, (values: readonly number[]) => number>> = {
  sum,
  average: (values) => sum(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
}
