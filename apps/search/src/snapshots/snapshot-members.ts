import { AppError, searchErrors } from '@logstack/errors'

/** What may stand in the body of a snapshot, and in the `config` of a policy. */
export const snapshotBodyKeys = [
  'indices',
  'ignore_unavailable',
  'include_global_state',
  'partial',
  'metadata',
  'feature_states',
  'expand_wildcards',
]

function illegal(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** A list of names, or a text with commas. */
export function namesOf(value: unknown, what: string): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.split(',').map((name) => name.trim())
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value as string[]
  throw illegal(`malformed ${what} section, should be an array of strings`)
}

/** A boolean of a body, also as text. */
export function flag(value: unknown, what: string, otherwise: boolean): boolean {
  if (value === undefined) return otherwise
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw illegal(`Failed to parse value [${String(value)}] of [${what}] as only [true] or [false] are allowed.`)
}

/** Features of Elasticsearch do not exist here: `none` of them can be asked for. */
export function refuseFeatures(value: unknown): void {
  const named = (namesOf(value, 'feature_states') ?? []).find((name) => name !== 'none')
  if (named !== undefined) throw illegal(`there is no feature state [${named}]`)
}
