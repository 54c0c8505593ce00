import type { AggregationNode, ReadAggregation } from '../define-aggregation.ts'
import { checkPipelines } from '../pipelines/check-pipelines.ts'
import { gonePipelines } from '../pipelines/index.ts'
import { illegalArgument, parsingError } from '../shapes/refuse.ts'
import { didYouMean } from '../shapes/suggest.ts'
import { aggregations } from './index.ts'

/** Deepest nesting of aggregations. */
const depthMax = 20

/** Reads the `aggs` of a request strictly; throws `parsing_exception` for what is no aggregation. */
export function readAggregations(body: unknown, depth = 0): AggregationNode[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError('Expected [START_OBJECT] under [aggs], but got something else')
  if (depth > depthMax) throw parsingError(`aggregations are nested deeper than ${depthMax} levels`)
  const nodes = Object.entries(body).map(([name, definition]) => readNode(name, definition, depth))
  if (depth === 0) checkPipelines(nodes, undefined)
  return nodes
}

function readNode(name: string, definition: unknown, depth: number): AggregationNode {
  if (/[[\]>]/u.test(name) || name === '')
    throw parsingError(
      `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
    )
  if (definition === null || typeof definition !== 'object' || Array.isArray(definition))
    throw parsingError(`Aggregation definition for [${name}] starts with a [VALUE], expected a [START_OBJECT].`)
  let children: readonly AggregationNode[] = []
  let meta: unknown
  let aggregation: ReadAggregation | undefined
  let parameters: unknown
  for (const [key, value] of Object.entries(definition)) {
    if (key === 'aggs' || key === 'aggregations') children = readAggregations(value, depth + 1)
    else if (key === 'meta') meta = value
    else if (aggregation)
      throw parsingError(`Found two aggregation type definitions in [${name}]: [${aggregation.typeName}] and [${key}]`)
    else {
      const known = aggregations.get(key) ?? gonePipelines.find((gone) => gone.name === key)
      if (!known) throw parsingError(`Unknown aggregation type [${key}]${didYouMean(key, aggregations.keys())}`)
      aggregation = known.read(value)
      parameters = value
      if (!known.hasChildren && hasChildren(definition))
        throw parsingError(`Aggregator [${name}] of type [${key}] cannot accept sub-aggregations`)
    }
  }
  if (!aggregation) throw parsingError(`Missing definition for aggregation [${name}]`)
  aggregation.check(name)
  const nested = children.find((child) => child.aggregation.typeName === 'global')
  if (nested)
    throw parsingError(
      `Aggregation [${name}] cannot have a global sub-aggregation [${nested.name}]. Global aggregations can only be defined as top level aggregations`,
    )
  const paged = children.find((child) => child.aggregation.typeName === 'composite')
  if (paged && !['filter', 'nested', 'reverse_nested'].includes(aggregation.typeName))
    throw illegalArgument(
      `[composite] aggregation cannot be used with a parent aggregation of type: [${aggregation.typeName}]`,
    )
  checkPipelines(children, { typeName: aggregation.typeName, body: parameters })
  return { name, aggregation, children, meta }
}

function hasChildren(definition: object): boolean {
  const { aggs, aggregations: long }: { aggs?: unknown; aggregations?: unknown } = definition
  const given = aggs ?? long
  return given !== null && typeof given === 'object' && Object.keys(given).length > 0
}
