import { AppError, searchErrors } from '@logstack/errors'
import { jsonToken } from '../../json/json-token.ts'
import { didYouMean } from '../../refusals/did-you-mean.ts'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import type { AggregationNode, AnyAggregation, ReadAggregation } from '../define-aggregation.ts'
import { checkPipelines } from '../pipelines/check-pipelines.ts'
import { gonePipelines } from '../pipelines/index.ts'
import { aggregations } from './index.ts'

/** Deepest nesting of aggregations. */
const depthMax = 20

/** Reads the `aggs` of a request strictly; throws `parsing_exception` for what is no aggregation. */
export function readAggregations(
  body: unknown,
  depth = 0,
  under: { readonly member: string; readonly name: string } = { member: 'aggs', name: '' },
): AggregationNode[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError(
      `Expected [START_OBJECT] under [${under.member}], but got a [${jsonToken(body)}] in [${under.name}]`,
    )
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
    throw parsingError(
      `Aggregation definition for [${name} starts with a [${jsonToken(definition)}], expected a [START_OBJECT].`,
    )
  let children: readonly AggregationNode[] = []
  let meta: unknown
  let aggregation: ReadAggregation | undefined
  let parameters: unknown
  for (const [key, value] of Object.entries(definition)) {
    if (key === 'aggs' || key === 'aggregations') children = readAggregations(value, depth + 1, { member: key, name })
    else if (key === 'meta') meta = value
    else if (aggregation)
      throw parsingError(`Found two aggregation type definitions in [${name}]: [${aggregation.typeName}] and [${key}]`)
    else {
      const known = knownType(key)
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        throw parsingError(`Expected [START_OBJECT] under [${key}], but got a [${jsonToken(value)}] in [${name}]`)
      aggregation = known.read(value)
      parameters = value
      if (!known.hasChildren && hasChildren(definition))
        throw illegalArgument(`Aggregator [${name}] of type [${key}] cannot accept sub-aggregations`)
    }
  }
  if (!aggregation) throw parsingError(`Missing definition for aggregation [${name}]`)
  aggregation.check(name)
  checkPlace(name, aggregation.typeName, children)
  checkPipelines(children, { typeName: aggregation.typeName, body: parameters })
  return { name, aggregation, children, meta }
}

function knownType(type: string): AnyAggregation {
  const known = aggregations.get(type) ?? gonePipelines.find((gone) => gone.name === type)
  if (known) return known
  const cause = new AppError(searchErrors.named_object_not_found_exception, `unknown field [${type}]`)
  throw parsingError(`Unknown aggregation type [${type}]${didYouMean(type, aggregations.keys())}`, cause)
}

/** Refuses aggregations that do not stand below every other. */
function checkPlace(name: string, typeName: string, children: readonly AggregationNode[]): void {
  const nested = children.find((child) => child.aggregation.typeName === 'global')
  if (nested)
    throw parsingError(
      `Aggregation [${name}] cannot have a global sub-aggregation [${nested.name}]. Global aggregations can only be defined as top level aggregations`,
    )
  const paged = children.find((child) => child.aggregation.typeName === 'composite')
  if (paged && !['filter', 'nested', 'reverse_nested'].includes(typeName))
    throw illegalArgument(`[composite] aggregation cannot be used with a parent aggregation of type: [${typeName}]`)
}

function hasChildren(definition: object): boolean {
  const { aggs, aggregations: long }: { aggs?: unknown; aggregations?: unknown } = definition
  const given = aggs ?? long
  return given !== null && typeof given === 'object' && Object.keys(given).length > 0
}
