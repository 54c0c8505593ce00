import type { ReadOptions } from '../engine/engine.ts'
import { withComputedColumns } from './computed-columns.ts'
import { type Leaf, type LeafRequest, type PlanServices, planLeaves } from './leaves.ts'

/** Plans the leaves of a request and computes what its scripts and runtime fields give: leaves that statements can be made of. */
export function prepareLeaves(services: PlanServices, request: LeafRequest, read: ReadOptions): Promise<Leaf[]> {
  // Lowered at once, so that a wrong query fails before anything waits.
  const leaves = planLeaves(services, request)
  return Promise.all(leaves.map((leaf) => withComputedColumns(services, leaf, read)))
}
