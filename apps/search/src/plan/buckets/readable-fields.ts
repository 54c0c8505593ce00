import { type AppError, isAppError } from '@logstack/errors'
import type { AggregationNode, RowSource } from '../../dsl/define-aggregation.ts'
import type { SearchRequest } from '../../dsl/search-request.ts'
import { sql } from '../../sql/sql.ts'
import { collapseValue } from '../hits/collapse-field.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf } from '../leaves/leaves.ts'
import { orderKey } from '../order/order.ts'
import { createRowSource } from './row-source.ts'

/** Levels whose rows are parts of documents, or documents again: fields below are read elsewhere. */
const otherRows = new Set(['nested', 'reverse_nested'])

/** Throws what a leaf by itself cannot do for a request: sort or collapse by a field, aggregate its values. Reads nothing. */
export function checkReadable(
  services: PlanServices,
  leaf: Leaf,
  { aggregations, sort, collapse }: Pick<SearchRequest, 'aggregations' | 'sort' | 'collapse'>,
  nowMs: number,
): void {
  for (const criterion of sort) if (!criterion.script) orderKey(criterion, leaf.context, columnLookup(services, leaf))
  if (collapse) collapseValue(services, leaf, collapse.field)
  checkAggregations(createRowSource(services, [leaf], nowMs), aggregations)
}

function checkAggregations(source: RowSource, nodes: readonly AggregationNode[]): void {
  for (const node of nodes) {
    const refused = refusalOf(node, source)
    if (refused) throw refused
    if (!otherRows.has(node.aggregation.typeName)) checkAggregations(source, node.children)
  }
}

/** Why an aggregation does not take the fields that it names or sorts documents by, as these rows have them. */
function refusalOf({ aggregation, name }: AggregationNode, source: RowSource): AppError | undefined {
  const { fields, sort = [] } = aggregation.uses()
  if (aggregation.pipeline !== undefined) return undefined
  const sorted = sort.filter(({ field, script }) => script === undefined && field !== '_score')
  try {
    if (sorted.length > 0) source.firstPlaces(sorted, 1)
    if (fields === undefined) return undefined
    if (aggregation.look) aggregation.look(source, { isAlone: false, with: () => sql`` })
    else if (aggregation.prepare) aggregation.prepare(source)
    else aggregation.plan(source, [], name)
  } catch (thrown) {
    if (isAppError(thrown)) return thrown
    throw thrown
  }
  return undefined
}

/**
 * Throws why some of the leaves cannot aggregate a field that others can: where indices map a name otherwise (texts in one, keywords in another), all of them
 * together would be read as what the first has.
 */
export function checkConflicts(
  services: PlanServices,
  leaves: readonly Leaf[],
  nodes: readonly AggregationNode[],
  nowMs: number,
): void {
  if (leaves.length < 2) return
  for (const node of nodes) {
    if ((node.aggregation.uses().fields ?? []).some((path) => isMappedOtherwise(leaves, path))) {
      const refusals = leaves.flatMap((leaf) => refusalOf(node, createRowSource(services, [leaf], nowMs)) ?? [])
      if (refusals[0] && refusals.length < leaves.length) throw refusals[0]
    }
    if (!otherRows.has(node.aggregation.typeName)) checkConflicts(services, leaves, node.children, nowMs)
  }
}

function isMappedOtherwise(leaves: readonly Leaf[], path: string): boolean {
  const types = leaves.flatMap(({ context }) => context.field(path)?.wireType ?? [])
  return types.some((type) => type !== types[0])
}
