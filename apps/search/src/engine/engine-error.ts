import { AppError, isAppError, messageOf, searchErrors } from '@logstack/errors'
import { refusalOf } from '../sql/refusal.ts'

/** Codes of the engine's errors that mean something to a caller. */
const timeoutCode = 159
/** Too much memory, or too much of what was written to disk instead. */
const memoryCodes: readonly number[] = [241, 173, 396]
const cancelledCode = 394
const noSpaceCode = 243
const patternCode = 427
/** Sub-selects, brackets and expressions that lie too deep in each other. */
const tooDeepCodes: readonly number[] = [162, 167, 306]
const unreadableCodes: readonly number[] = [6, 72]
const noSpaceText = /No space left on device|ENOSPC|Disk quota exceeded/

function codeOf(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && 'clickhouseCode' in thrown ? thrown.clickhouseCode : undefined
  return typeof code === 'number' ? code : undefined
}

/** The engine's symbolic name of an error (`UNKNOWN_IDENTIFIER`), which ends its message. */
function nameOf(message: string): string | undefined {
  return [...message.matchAll(/\(([A-Z][A-Z0-9_]+)\)/g)].at(-1)?.[1]
}

/**
 * Turns what the engine threw into an error of the search catalogue. The message names the engine's error, never the statement: that may
 * hold values from documents. `detail.clickhouseCode` is the engine's number.
 */
export function engineError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown
  const message = messageOf(thrown)
  const code = codeOf(thrown)
  const context = { cause: thrown, detail: code === undefined ? {} : { clickhouseCode: code } }
  if (code === timeoutCode) return new AppError(searchErrors.search_timeout, 'Time exceeded', context)
  if (code === cancelledCode) return new AppError(searchErrors.task_cancelled_exception, 'task cancelled', context)
  if (code !== undefined && memoryCodes.includes(code))
    return new AppError(
      searchErrors.circuit_breaking_exception,
      '[request] Data too large, the query would use more memory than its limit',
      { ...context, detail: { ...context.detail, durability: 'TRANSIENT' } },
    )
  if (code === noSpaceCode || noSpaceText.test(message))
    return new AppError(searchErrors.engine_disk_full, 'the disk of the data directory is full', {
      ...context,
      fix: 'free space on the disk of the data directory, or delete old indices',
    })
  if (code === patternCode)
    return new AppError(searchErrors.illegal_argument_exception, 'the regular expression is too large', context)
  if (code !== undefined && tooDeepCodes.includes(code))
    return new AppError(searchErrors.illegal_argument_exception, 'the query is nested too deep', context)
  const refused = code !== undefined && unreadableCodes.includes(code) ? refusalOf(message) : undefined
  if (refused !== undefined) return new AppError(searchErrors.illegal_argument_exception, refused, context)
  const name = nameOf(message) ?? 'unknown error'
  return new AppError(searchErrors.engine_query_failed, `the engine could not run the statement: ${name}`, context)
}
