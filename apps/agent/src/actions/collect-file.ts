import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { orderedActions } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { pathMatches } from '../inputs/file/expand-paths.ts'
import type { ActionType } from './action-type.ts'

/** `COLLECT_FILE`: the last `bytes_max` bytes of a file, if the policy allows the path that all links lead to. */
export const collectFileAction: ActionType = {
  type: 'COLLECT_FILE',
  async perform(data, { policy }) {
    const { path, bytes_max } = orderedActions.COLLECT_FILE.parse(data)
    const real = await realpath(path)
    const allowed = policy?.collect_paths ?? []
    if (!allowed.some((pattern) => pathMatches(real, pattern))) {
      throw new AppError(agentsErrors.action_not_allowed, `the policy does not allow ${real} to be collected`)
    }
    // What it was when its path was looked up it may be no longer: no link is followed now, and no device or pipe opened for reading waits.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw new AppError(agentsErrors.action_not_allowed, `${real} is no file`)
      const from = Math.max(0, stats.size - bytes_max)
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(stats.size, bytes_max)), 0, null, from)
      const content = buffer.subarray(0, bytesRead)
      return {
        message:
          from === 0 ? `${bytesRead} bytes of ${real}` : `the last ${bytesRead} of ${stats.size} bytes of ${real}`,
        data: { path: real, bytes: bytesRead, size_bytes: stats.size, content_base64: content.toString('base64') },
      }
    } finally {
      await file.close()
    }
  },
}
