import { AppError, searchErrors } from '@logstack/errors'
import { illegalArgument, ofRequest, queryShardError } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import { whole } from '../shapes/scalars.ts'

/** `nested` of a sort: the objects whose values count. */
export interface NestedSort {
  readonly path: string | undefined
  /** A query that objects must meet. */
  readonly filter?: unknown
  /** How many of a document's objects are looked at. */
  readonly childrenMax?: number
  /** Objects within them that count instead. */
  readonly inner?: NestedSort
}

const known = new Set(['path', 'filter', 'max_children', 'nested'])

/** Reads `nested` of a sort. Throws `x_content_parse_exception` for what it does not know. */
export function readNestedSort(given: unknown): NestedSort | undefined {
  if (given === undefined) return undefined
  try {
    return readLevel(given)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const reason = '[field_sort] failed to parse field [nested]'
    throw ofRequest(new AppError(searchErrors.x_content_parse_exception, reason, { cause: thrown }))
  }
}

function readLevel(given: unknown): NestedSort {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw illegalArgument('malformed nested sort format, must start with an object')
  const unknown = Object.keys(given).find((key) => !known.has(key))
  if (unknown !== undefined) throw illegalArgument(`malformed nested sort format, unknown field name [${unknown}]`)
  const { path, filter, max_children: most, nested }: Readonly<Record<string, unknown>> = { ...given }
  const childrenMax = most === undefined ? undefined : whole.safeParse(most).data
  return {
    path: path === undefined ? undefined : String(path),
    ...(filter === undefined ? {} : { filter }),
    ...(childrenMax === undefined ? {} : { childrenMax }),
    ...(nested === undefined ? {} : { inner: readLevel(nested) }),
  }
}

/** Runs something among the objects of each level of a nested sort, outermost first. Throws `query_shard_exception` where there are no such objects. */
export function eachLevel(
  nested: NestedSort | undefined,
  context: Pick<LowerContext, 'isNested' | 'reportedIndex'>,
  work: (level: NestedSort & { readonly path: string }) => void,
): void {
  for (let level = nested; level; level = level.inner) {
    const { path } = level
    if (path === undefined) continue
    if (!context.isNested(path)) {
      const reason = `[nested] failed to find nested object under path [${path}]`
      throw queryShardError(context.reportedIndex, undefined, reason)
    }
    work({ ...level, path })
  }
}
