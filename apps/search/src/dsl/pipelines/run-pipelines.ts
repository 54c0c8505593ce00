import type { JsonObject } from '../../json/json-object.ts'
import type { AggregationNode } from '../define-aggregation.ts'
import { bucketsOf, siblingValues, withBuckets } from './buckets-path.ts'
import { orderPipelines } from './check-pipelines.ts'

/** How an answer is called in the response, and what stands in it beside the answer. */
export interface PipelineNaming {
  nameOf(node: AggregationNode): string
  withMeta(node: AggregationNode, answer: JsonObject): JsonObject
}

/** Whether anything in a tree is made of the answers of others, which may run scripts. */
export function hasPipelines(nodes: readonly AggregationNode[]): boolean {
  return nodes.some(({ aggregation, children }) => aggregation.pipeline !== undefined || hasPipelines(children))
}

/** Runs the sibling pipelines among `nodes` over the answers of their level; gives these with the pipelines' own. */
export function withSiblingPipelines(
  nodes: readonly AggregationNode[],
  answers: JsonObject,
  naming: PipelineNaming,
): JsonObject {
  let all = answers
  for (const node of orderPipelines(nodes)) {
    const { pipeline } = node.aggregation
    if (pipeline?.place !== 'sibling') continue
    const answer = pipeline.run((path, gap) => siblingValues(all, path, gap, node.name))
    all = { ...all, [naming.nameOf(node)]: naming.withMeta(node, answer) }
  }
  return all
}

/** Runs the parent pipelines among the children of a bucket aggregation over its rendered buckets. */
export function withParentPipelines(
  children: readonly AggregationNode[],
  rendered: JsonObject,
  naming: PipelineNaming,
): JsonObject {
  const parents = orderPipelines(children).filter(({ aggregation }) => aggregation.pipeline?.place === 'parent')
  if (parents.length === 0) return rendered
  let buckets: ReturnType<typeof bucketsOf> = bucketsOf(rendered)
  for (const node of parents) {
    const { pipeline } = node.aggregation
    if (pipeline?.place !== 'parent') continue
    const put = (bucket: (typeof buckets)[number], answer: JsonObject) => ({
      name: bucket.name,
      answer: { ...bucket.answer, [naming.nameOf(node)]: naming.withMeta(node, answer) },
    })
    buckets = [...pipeline.run(buckets, { name: node.name, put })]
  }
  return withBuckets(rendered, buckets)
}
