import { AppError } from '@logstack/errors'
import { contentError, illegalArgument, memberError } from '../refusals/refuse.ts'

type Members = Readonly<Record<string, unknown>>

/** What is found wrong of a part when all of it was read. */
export function notBuilt(part: string, reason: string): AppError {
  return contentError(`Failed to build [${part}] after last required field arrived`, illegalArgument(reason))
}

/** Throws where a part has other members than these. */
export function checkMembers(part: string, given: Members, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw contentError(`[${part}] unknown field [${unknown}]`)
}

/** Throws where a part lacks members. */
export function requireMembers(given: Members, ...names: readonly string[]): void {
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length > 0) throw illegalArgument(`Required [${missing.join(', ')}]`)
}

/** Runs the reading of a member; what it throws is reported as of it. */
export function within<T>(part: string, member: string, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    throw thrown instanceof AppError ? memberError(part, member, thrown) : thrown
  }
}

/** A whole number, also as text; parts of one are cut off. Undefined when it is not given. */
export function wholeMember(part: string, given: Members, name: string): number | undefined {
  const value = given[name]
  if (value === undefined) return undefined
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  if (typeof value === 'object' || typeof value === 'boolean' || !Number.isFinite(number))
    throw contentError(
      `[${part}] failed to parse field [${name}]`,
      illegalArgument(`For input string: "${String(value)}"`),
    )
  return Math.trunc(number)
}
