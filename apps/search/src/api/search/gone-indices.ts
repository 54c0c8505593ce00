import { noSuchIndex } from '../../indices/index-names.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import type { PartialAnswers } from '../../plan/leaves/partial-answers.ts'
import type { Services } from '../../services.ts'

/** The indices of a scroll or point in time that are still there, and how an answer shows those that are not. */
interface IndicesLeft {
  readonly indices: readonly ResolvedIndex[]
  readonly failures?: readonly unknown[]
}

/**
 * What is left of the indices that a scroll or point in time was opened over. Throws `index_not_found_exception` where none is, or where the answer must be whole:
 * without what was deleted it would pass for complete.
 */
export function indicesLeft(
  { catalogue }: Pick<Services, 'catalogue'>,
  opened: readonly ResolvedIndex[],
  partial: PartialAnswers | undefined,
): IndicesLeft {
  const isThere = ({ index }: ResolvedIndex) => catalogue.indexById(index.id) !== undefined
  const gone = opened.filter((each) => !isThere(each)).map(({ index }) => ({ index, error: noSuchIndex(index.name) }))
  const [first] = gone
  if (first === undefined) return { indices: opened }
  if (partial === undefined || gone.length === opened.length) throw first.error
  return { indices: opened.filter(isThere), failures: gone.map(({ index, error }) => partial.show(index, error)) }
}
