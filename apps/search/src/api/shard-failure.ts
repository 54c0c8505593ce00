import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { ResolvedIndex } from '../indices/catalogue.ts'
import { renderCause, statusOf } from './render-error.ts'

/** Errors that a search meets before it reaches any shard; everything else Elasticsearch reports as the failure of all shards. */
const ownErrors = new Set([
  'parsing_exception',
  'security_exception',
  'task_cancelled_exception',
  'es_rejected_execution_exception',
])

/** Runs a search over indices; what fails in it is reported as Elasticsearch reports a search that failed on its shards. */
export async function onShards<T>(
  indices: readonly ResolvedIndex[],
  nodeName: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!isAppError(thrown) || ownErrors.has(thrown.code)) throw thrown
    const given = thrown.detail['index']
    const index = typeof given === 'string' && given !== '' ? given : (indices[0]?.index.name ?? '')
    const uuid = indices.find((each) => each.index.name === index)?.index.uuid
    const reason = {
      ...renderCause(thrown),
      ...(thrown.detail['index'] !== undefined && uuid !== undefined ? { index_uuid: uuid } : {}),
    }
    const { caused_by: _causedBy, ...root } = reason as Record<string, unknown>
    throw new AppError(searchErrors.search_phase_execution_exception, 'all shards failed', {
      cause: thrown,
      detail: {
        phase: 'query',
        grouped: true,
        failed_shards: [{ shard: 0, index, node: nodeName, reason }],
        root_cause: [root],
        status: statusOf(thrown),
      },
    })
  }
}
