import type { JsonObject } from '../../json/json-object.ts'
import type { Background, FoundBucket, KeyPart } from '../define-aggregation.ts'
import type { OrderCriterion } from './bucket-order.ts'

/**
 * The buckets of `min_doc_count: 0`: those that were found and one without documents for every other key of the searched indices, in order, the
 * first `size` of them. By a metric, keys without documents come last.
 */
export function withEmptyKeys(
  found: readonly FoundBucket[],
  background: Background,
  order: { readonly criteria: readonly OrderCriterion[]; readonly parts: readonly KeyPart[] },
  empty: () => JsonObject,
  size: number,
): FoundBucket[] {
  const known = new Set(found.map(({ key }) => JSON.stringify(key)))
  const total = found[0]?.total ?? 0
  const without = background.keys
    .filter(({ key }) => !known.has(JSON.stringify(key)))
    .map(({ key }): FoundBucket => ({ key, count: 0, total, body: empty() }))
  const metrics = order.criteria.some(({ path }) => path !== '_key' && path !== '_count')
  const all = metrics ? [...found, ...without] : [...found, ...without].sort((a, b) => compare(a, b, order))
  return all.slice(0, size)
}

function compare(a: FoundBucket, b: FoundBucket, { criteria, parts }: Parameters<typeof withEmptyKeys>[2]): number {
  for (const { path, descending } of criteria) {
    const order = path === '_count' ? a.count - b.count : compareKeys(a.key, b.key, parts)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}

function compareKeys(a: readonly unknown[], b: readonly unknown[], parts: readonly KeyPart[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at]
    if (one === other) continue
    const ordered = parts[at]?.order?.compare(String(one), String(other)) ?? 0
    if (ordered !== 0) return ordered
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
  }
  return 0
}
