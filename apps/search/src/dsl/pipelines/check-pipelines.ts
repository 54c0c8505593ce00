import { AppError, searchErrors } from '@logstack/errors'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { AggregationNode } from '../define-aggregation.ts'
import { pathElements } from './buckets-path.ts'
import type { ReadPipeline } from './define-pipeline.ts'

/** The aggregation that pipelines stand in; undefined at the top of a request. */
export interface PipelineParent {
  readonly typeName: string
  readonly body: unknown
}

const histograms = ['histogram', 'date_histogram', 'auto_date_histogram']
const multiBucket = new Set([
  ...histograms,
  'adjacency_matrix',
  'composite',
  'date_range',
  'filters',
  'ip_range',
  'multi_terms',
  'range',
  'rare_terms',
  'significant_terms',
  'terms',
])
const ownNames = ['_count', '_key', '_bucket_count']

/** Refuses pipelines that stand where they cannot work, or read what is not there; `nodes` are all aggregations of one level. */
export function checkPipelines(nodes: readonly AggregationNode[], parent: PipelineParent | undefined): void {
  for (const { name, aggregation } of nodes) {
    const { pipeline, typeName } = aggregation
    if (!pipeline) continue
    if (pipeline.place === 'parent') checkParent(name, typeName, pipeline.sequential, parent)
    checkPaths(name, pipeline, nodes)
  }
  orderPipelines(nodes)
}

function checkParent(name: string, typeName: string, sequential: boolean, parent: PipelineParent | undefined): void {
  if (!parent) throw invalid(`${typeName} aggregation [${name}] must be declared inside of another aggregation`)
  if (!sequential) {
    if (multiBucket.has(parent.typeName)) return
    throw illegalArgument(`${typeName} aggregation [${name}] must be declared inside of a multi-bucket aggregation`)
  }
  if (!histograms.includes(parent.typeName))
    throw invalid(
      `${typeName} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`,
    )
  // It looks at places in the row of buckets, whatever lies between them.
  if (typeName === 'serial_diff') return
  const least = (parent.body as { readonly min_doc_count?: unknown }).min_doc_count
  if (Number(least ?? 0) !== 0)
    throw invalid(`parent histogram of ${typeName} aggregation [${name}] must have min_doc_count of 0`)
}

function checkPaths(name: string, { place, paths }: ReadPipeline, nodes: readonly AggregationNode[]): void {
  for (const path of paths) {
    const [first = '', second] = pathElements(path)
    if (place === 'parent' && ownNames.includes(first)) continue
    const target = nodes.find((node) => node.name === first)
    if (target && (place === 'parent' || leadsOn(target, second))) continue
    if (place === 'parent') throw illegalArgument(`No aggregation found for path [${path}]`)
    if (path.includes('>')) throw invalid(`No aggregation${target ? ` [${second}]` : ''} found for path [${path}]`)
    throw invalid(`buckets_path aggregation does not exist for aggregation [${name}]: ${path}`)
  }
}

function leadsOn({ children }: AggregationNode, next: string | undefined): boolean {
  if (next === undefined || ownNames.includes(next) || next.startsWith("'")) return true
  return children.some(({ name }) => name === next)
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.action_request_validation_exception, `Validation Failed: 1: ${reason};`)
}

/** The pipelines of a level, each after those whose answers it reads. Throws when they read each other. */
export function orderPipelines(nodes: readonly AggregationNode[]): AggregationNode[] {
  const ordered: AggregationNode[] = []
  const open = new Set<AggregationNode>()
  const visit = (node: AggregationNode) => {
    const { pipeline } = node.aggregation
    if (!pipeline || ordered.includes(node)) return
    if (open.has(node)) throw illegalArgument(`Cyclical dependency found with pipeline aggregator [${node.name}]`)
    open.add(node)
    const read = new Set(pipeline.paths.map((path) => pathElements(path)[0]))
    for (const other of nodes) if (other !== node && read.has(other.name)) visit(other)
    ordered.push(node)
  }
  for (const node of nodes) visit(node)
  return ordered
}
