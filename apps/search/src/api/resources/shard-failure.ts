import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { clusterSetting } from '../../cluster-settings/read.ts'
import { isTableGone } from '../../documents/purge.ts'
import { noSuchIndex } from '../../indices/index-names.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import { shardOf } from '../../indices/shard-of.ts'
import { shardsOf } from '../../indices/shards.ts'
import { EveryIndexFailed, type PartialAnswers } from '../../plan/leaves/partial-answers.ts'
import { failedDocumentOf } from '../../plan/scripts/failed-document.ts'
import { isOfReduction, isOfRequest } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { isJavas, renderCause, rootOf, statusOf } from '../render-error.ts'

/** Errors that a search meets before it reaches any shard; everything else Elasticsearch reports as the failure of all shards. */
const ownErrors = new Set([
  'parsing_exception',
  'security_exception',
  'task_cancelled_exception',
  'es_rejected_execution_exception',
])

/** Whether a search goes on with its other indices where one cannot answer: as its parameter says, or else the cluster. */
export function partialAnswers(
  { catalogue }: Pick<Services, 'catalogue'>,
  query: Readonly<Record<string, unknown>>,
): PartialAnswers | undefined {
  const given = query['allow_partial_search_results']
  if (!(given ?? clusterSetting(catalogue, 'search.default_allow_partial_results') === 'true')) return undefined
  return {
    isOfIndex: ({ code }) => !ownErrors.has(code),
    show: ({ name, uuid }, thrown) => {
      const uuidToo = thrown.detail['index'] === undefined ? {} : { index_uuid: uuid }
      return { shard: 0, index: name, node: catalogue.clusterUuid, reason: { ...renderCause(thrown), ...uuidToo } }
    },
  }
}

/** What the failure of a phase says of its cause: nothing twice, unless the root lies deeper or had to be wrapped. */
function causeOf(thrown: AppError, root: AppError): Record<string, unknown> | null {
  if (root !== thrown) return renderCause(root)
  return isJavas(thrown) ? { ...renderCause(thrown), caused_by: renderCause(thrown) } : null
}

function withoutCause(reason: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { caused_by: _causedBy, ...root } = reason
  return root
}

/** Which shard failed, where an error is of one document and its index has others, which may have found what they were asked for. */
function failedShard(thrown: AppError): number | undefined {
  const document = failedDocumentOf(thrown)
  return document && shardsOf(document.index).primaries > 1 ? shardOf(document.index, document.routing) : undefined
}

/**
 * Runs a search over indices; what fails in it is reported as Elasticsearch reports a search that failed on its shards. `whole` searches take no
 * part of an answer: they say which shard failed of several. `nodeId` is the key of this node in `_nodes`, by which clients look it up.
 */
export async function onShards<T>(
  indices: readonly ResolvedIndex[],
  nodeId: string,
  work: () => Promise<T>,
  whole = false,
): Promise<T> {
  try {
    return await work()
  } catch (caught) {
    // An index was deleted between the look at the names and at the documents.
    if (caught instanceof EveryIndexFailed) throw everyIndexError(caught, nodeId)
    const thrown = isTableGone(caught) && indices[0] ? noSuchIndex(indices[0].index.name) : caught
    if (!isAppError(thrown) || ownErrors.has(thrown.code) || isOfRequest(thrown)) throw thrown
    throw isOfReduction(thrown) ? reductionError(thrown) : phaseError(thrown, indices, nodeId, whole)
  }
}

/** What failed when the answers of all shards were there as the failure of the search. */
function reductionError(thrown: AppError): AppError {
  return new AppError(searchErrors.search_phase_execution_exception, '', {
    cause: thrown,
    detail: {
      phase: 'fetch',
      grouped: true,
      failed_shards: [],
      root_cause: [],
      caused_by: renderCause(thrown),
      status: statusOf(thrown),
    },
  })
}

/** What failed on all indices as the failure of the search, each as what the search of it alone would have failed with. */
function everyIndexError({ failed }: EveryIndexFailed, nodeId: string): AppError {
  const errors = [...failed].map(([index, thrown]) => ({ thrown, details: phaseDetails(thrown, index, nodeId) }))
  const [first] = errors
  if (first === undefined) throw new Error('BUG: no index failed')
  const status = errors.reduce(
    (worst, { details }) => (details.status >= 500 ? details.status : worst),
    first.details.status,
  )
  return new AppError(searchErrors.search_phase_execution_exception, allFailed, {
    cause: first.thrown,
    detail: {
      ...first.details,
      failed_shards: errors.flatMap(({ details }) => details.failed_shards),
      root_cause: errors.flatMap(({ details }) => details.root_cause),
      status,
    },
  })
}

/** What failed on a shard as the failure of the search. */
function phaseError(thrown: AppError, indices: readonly ResolvedIndex[], nodeId: string, whole: boolean): AppError {
  const given = thrown.detail['index']
  const index = typeof given === 'string' && given !== '' ? given : (indices[0]?.index.name ?? '')
  const uuid = indices.find((each) => each.index.name === index)?.index.uuid
  const shard = whole ? failedShard(thrown) : undefined
  const message = shard === undefined ? allFailed : 'Partial shards failure'
  return new AppError(searchErrors.search_phase_execution_exception, message, {
    cause: thrown,
    detail: phaseDetails(thrown, { name: index, uuid }, nodeId, shard),
  })
}

const allFailed = 'all shards failed'

/** What the error of a failed search says beside its reason. */
function phaseDetails(
  thrown: AppError,
  { name, uuid }: { readonly name: string; readonly uuid: string | undefined },
  node: string,
  shard = 0,
) {
  const reason = {
    ...renderCause(thrown),
    ...(thrown.detail['index'] !== undefined && uuid !== undefined ? { index_uuid: uuid } : {}),
  }
  const root = rootOf(thrown)
  return {
    phase: 'query',
    grouped: true,
    failed_shards: [{ shard, index: name, node, reason }],
    root_cause: [root === thrown ? withoutCause(reason) : renderCause(root, false)],
    caused_by: causeOf(thrown, root),
    status: statusOf(thrown),
  }
}
