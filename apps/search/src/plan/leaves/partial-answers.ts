import { type AppError, isAppError } from '@logstack/errors'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { LeafRequest, PlanServices } from './leaf-request.ts'
import type { Leaf } from './leaves.ts'
import { planLeaves } from './plan-leaves.ts'

/** How an answer goes without indices that cannot answer. */
export interface PartialAnswers {
  /** Whether an error may be one index's only; others end the search as a whole. */
  isOfIndex(thrown: AppError): boolean
  /** The error of an index as the answer shows it. */
  show(index: IndexMeta, thrown: AppError): unknown
}

/** Indices asked in one go: a search over thousands does not hold up all others. */
const indicesAtOnce = 50

/**
 * The errors of the indices that cannot read a request, by index, after it failed as a whole; `check` throws what else a leaf cannot do for it. Empty where none
 * of them can, and where what failed was no reading of it.
 */
export async function unreadableIndices(
  services: PlanServices,
  request: LeafRequest,
  { partial, thrown, check }: { readonly partial: PartialAnswers; readonly thrown: unknown; check(leaf: Leaf): void },
): Promise<ReadonlyMap<IndexMeta, AppError>> {
  const failed = new Map<IndexMeta, AppError>()
  if (request.indices.length < 2 || !isAppError(thrown) || !partial.isOfIndex(thrown)) return failed
  for (const [at, resolved] of request.indices.entries()) {
    if (at % indicesAtOnce === indicesAtOnce - 1) await new Promise(setImmediate)
    try {
      for (const leaf of planLeaves(services, { ...request, indices: [resolved], snapshots: new Map() })) check(leaf)
    } catch (error) {
      if (!isAppError(error) || !partial.isOfIndex(error)) return new Map()
      failed.set(resolved.index, error)
    }
  }
  return failed.size === request.indices.length ? new Map() : failed
}
