import type { AggregationNode, RowSource } from '../../dsl/define-aggregation.ts'

/** How often aggregations were asked for since the start, by their type and the kind of their values. */
type Uses = Map<string, Map<string, number>>

const made = new WeakMap<object, Uses>()

/** The uses of aggregations in one running search, by its catalogue. */
function usesOf(catalogue: object): Uses {
  const known = made.get(catalogue)
  if (known) return known
  const uses: Uses = new Map()
  made.set(catalogue, uses)
  return uses
}

const kinds: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  date: 'date',
  date_nanos: 'date',
  geo_point: 'geopoint',
  ip: 'ip',
  keyword: 'keyword',
  constant_keyword: 'keyword',
  wildcard: 'keyword',
  text: 'keyword',
  match_only_text: 'keyword',
}
const numbers = ['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float', 'scaled_float', 'unsigned_long']

function kindOf(fields: readonly string[], source: RowSource): string {
  const [field] = fields
  if (field === undefined || fields.length > 1) return 'other'
  const type = source.field(field).field?.wireType ?? ''
  return numbers.includes(type) ? 'numeric' : (kinds[type] ?? 'other')
}

/** Counts a tree of aggregations; pipelines, which work on no values, are left out. */
export function countAggregations(catalogue: object, nodes: readonly AggregationNode[], source: RowSource): void {
  const uses = usesOf(catalogue)
  for (const { aggregation, children } of nodes) {
    if (aggregation.pipeline === undefined) {
      const of = uses.get(aggregation.typeName) ?? new Map<string, number>()
      const kind = kindOf(aggregation.uses().fields ?? [], source)
      uses.set(aggregation.typeName, of.set(kind, (of.get(kind) ?? 0) + 1))
    }
    countAggregations(catalogue, children, source)
  }
}

/** The counts, as `_nodes/usage` shows them. */
export function aggregationUses(catalogue: object): Record<string, Record<string, number>> {
  const named = [...usesOf(catalogue)].map(([name, of]) => [name, Object.fromEntries(of)] as const)
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}
