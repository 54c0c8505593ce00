import { type AppError, isAppError } from '@logstack/errors'
import type { ResolvedIndex } from '../../indices/resolve.ts'
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

/** What every index of a search says against it, where none can read it. */
export class EveryIndexFailed extends Error {
  readonly failed: ReadonlyMap<IndexMeta, AppError>

  constructor(failed: ReadonlyMap<IndexMeta, AppError>) {
    super('no index can read the request')
    this.failed = failed
  }
}

/** The indices that an answer is made of, and the failures of the others, as it shows them. */
export interface ReadableIndices {
  readonly indices: readonly ResolvedIndex[]
  readonly failures: readonly unknown[]
}

/**
 * Runs what reads indices, and where some of them cannot read its request once more without those; `check` throws what else a leaf cannot do for it.
 * Throws `EveryIndexFailed` where none can.
 */
export async function withoutUnreadable<T>(
  services: PlanServices,
  indices: readonly ResolvedIndex[],
  asked: { readonly partial: PartialAnswers | undefined; request(): LeafRequest; check(leaf: Leaf): void },
  read: (readable: ReadableIndices) => Promise<T>,
): Promise<T> {
  try {
    return await read({ indices, failures: [] })
  } catch (thrown) {
    const { partial, request, check } = asked
    if (partial === undefined) throw thrown
    const failed = await unreadableIndices(services, request(), { partial, thrown, check })
    if (failed.size === 0) throw thrown
    if (failed.size === indices.length) throw new EveryIndexFailed(failed)
    const failures = [...failed].map(([index, error]) => partial.show(index, error))
    return read({ indices: indices.filter(({ index }) => !failed.has(index)), failures })
  }
}

/** The errors of the indices that cannot read a request, by index, after it failed as a whole. Empty where what failed was no reading of it. */
async function unreadableIndices(
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
  return failed
}
