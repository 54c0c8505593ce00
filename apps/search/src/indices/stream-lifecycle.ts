import { AppError, searchErrors } from '@logstack/errors'
import type { DataStreamLifecycle } from '../model/index-meta.ts'

const known = ['enabled', 'data_retention']

/**
 * The lifecycle of a data stream as requests and templates have it. Throws `illegal_argument_exception` for a retention that is no time,
 * `x_content_parse_exception` for what is unknown, and for downsampling, which does not exist here.
 */
export function parseStreamLifecycle(given: Readonly<Record<string, unknown>>): DataStreamLifecycle {
  for (const key of Object.keys(given))
    if (!known.includes(key))
      throw new AppError(searchErrors.x_content_parse_exception, `[1:1] [lifecycle] unknown field [${key}]`)
  const { enabled = true, data_retention: retention } = given
  if (typeof enabled !== 'boolean' && enabled !== 'true' && enabled !== 'false')
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Failed to parse value [${String(enabled)}] as only [true] or [false] are allowed.`,
    )
  const lifecycle = { enabled: enabled === true || enabled === 'true' }
  if (retention === undefined || retention === null) return lifecycle
  if (!/^\d+(?:ms|s|m|h|d)$/.test(String(retention)))
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `failed to parse setting [data_retention] with value [${String(retention)}] as a time value: unit is missing or unrecognized`,
    )
  return { ...lifecycle, data_retention: String(retention) }
}
