import { AppError, searchErrors } from '@logstack/errors'
import { defineRoute } from '../define-route.ts'
import { indicesOf } from '../indices/index-admin.ts'

const timeoutMsDefault = 30_000
const timeoutMsMax = 5 * 60_000

/**
 * `GET /{index}/_fleet/global_checkpoints`: how far an index may be read without a hole, one number a shard. With `wait_for_advance` it
 * answers when that rises above `checkpoints`, or after `timeout` with `timed_out`.
 */
export const fleetCheckpointsRoute = defineRoute({
  name: 'fleet.global_checkpoints',
  methods: ['GET'],
  paths: ['/{index}/_fleet/global_checkpoints'],
  privilege: { index: 'read' },
  parameters: { wait_for_advance: 'boolean', wait_for_index: 'boolean', checkpoints: 'list', timeout: 'time' },
  async handle(request, services) {
    const { query } = request
    const found = indicesOf(request, services, 'fleet.global_checkpoints', 'read', { expand: ['open', 'hidden'] })
    const [index] = found
    if (!index || found.length > 1) {
      const reason = `fleet.global_checkpoints needs exactly one index, [${request.params['index']}] has ${found.length}`
      throw new AppError(searchErrors.illegal_argument_exception, reason)
    }
    const given = (query['checkpoints'] as string[] | undefined)?.map(Number)
    const after = Math.max(-1, ...(given ?? []).filter(Number.isSafeInteger))
    if (query['wait_for_advance'] !== true) {
      return { json: { global_checkpoints: [services.documents.checkpoint(index)], timed_out: false } }
    }
    const timeoutMs = Math.min(timeoutMsMax, (query['timeout'] as number | undefined) ?? timeoutMsDefault)
    const reached = await services.documents.waitForCheckpoint(index, after, timeoutMs, request.signal)
    return { json: { global_checkpoints: [reached], timed_out: reached <= after } }
  },
})
