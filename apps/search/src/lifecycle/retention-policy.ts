import { AppError, searchErrors } from '@logstack/errors'
import { matchesPattern } from '../indices/index-names.ts'
import type { Store } from '../store/store.ts'

/** How long events are kept and how much of the disk they may take, as it is stored, shown and set. */
export interface RetentionPolicy {
  /** Events older than this go: a time value in days or hours (`90d`), or `never`. */
  readonly max_age: string
  /** Other ages for indices and data streams whose name matches a pattern; the longest pattern that matches counts. */
  readonly patterns: Readonly<Record<string, string>>
  /** The most that all data may take of the space they could have, in percent (`80%`); the oldest events go first. */
  readonly max_disk_share: string
  /** What is younger is not given up for space: then the disk's watermarks stop the writing instead. */
  readonly keep_at_least: string
}

/** What is kept when nobody said otherwise. */
export const standardRetention: RetentionPolicy = {
  max_age: '90d',
  patterns: {},
  max_disk_share: '80%',
  keep_at_least: '1d',
}

const key = 'policy'
const collectionName = 'retention'
const hourMs = 3_600_000

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** Milliseconds of an age such as `30d` or `12h`; undefined for `never`. Throws `illegal_argument_exception` for anything else. */
export function ageMs(what: string, given: unknown): number | undefined {
  if (given === 'never') return undefined
  const ms = readAge(given)
  if (ms !== undefined) return ms
  throw invalid(`[${what}] must be an age in days or hours such as 30d or 12h, or never; it is [${String(given)}]`)
}

/** As `ageMs`, for what must end. */
export function endingAgeMs(what: string, given: unknown): number {
  const ms = readAge(given)
  if (ms !== undefined) return ms
  throw invalid(`[${what}] must be an age in days or hours such as 30d or 12h; it is [${String(given)}]`)
}

function readAge(given: unknown): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([hd])$/.exec(String(given)) ?? []
  const ms = Number(amount) * hourMs * (unit === 'd' ? 24 : 1)
  return amount !== undefined && ms > 0 ? ms : undefined
}

/** The share of a disk as a number from 0.01 to 0.95. Throws `illegal_argument_exception`. */
export function diskShare(given: unknown): number {
  const [, percent] = /^(\d{1,2})%$/.exec(String(given)) ?? []
  const share = Number(percent) / 100
  if (share >= 0.01 && share <= 0.95) return share
  throw invalid(`[max_disk_share] must be a share from 1% to 95%; it is [${String(given)}]`)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The policy after a change; absent keys stay, a pattern with null goes back to the general age. Throws `illegal_argument_exception`. */
export function changeRetention(before: RetentionPolicy, given: Readonly<Record<string, unknown>>): RetentionPolicy {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(standardRetention, name)) throw invalid(`unknown retention setting [${name}]`)
  const { patterns: changed = {}, ...rest } = given
  if (!isRecord(changed)) throw invalid('[patterns] must be an object of ages by pattern')
  const patterns = new Map<string, unknown>(Object.entries(before.patterns))
  for (const [pattern, age] of Object.entries(changed)) {
    if (age === null) patterns.delete(pattern)
    else patterns.set(pattern, age)
  }
  const policy = { ...before, ...rest, patterns: Object.fromEntries(patterns) }
  ageMs('max_age', policy.max_age)
  for (const [pattern, age] of patterns) ageMs(`patterns.${pattern}`, age)
  diskShare(policy.max_disk_share)
  if (ageMs('keep_at_least', policy.keep_at_least) === undefined)
    throw invalid('[keep_at_least] must be an age, not never')
  return policy as RetentionPolicy
}

/** The policy that holds. */
export function retentionPolicy(store: Pick<Store, 'collection'>): RetentionPolicy {
  return { ...standardRetention, ...store.collection<Partial<RetentionPolicy>>(collectionName).get(key) }
}

/** Keeps a policy; it holds from the next run on. */
export async function putRetention(store: Store, policy: RetentionPolicy): Promise<void> {
  await store.transaction(() => store.collection<RetentionPolicy>(collectionName).put(key, policy))
}

/** The age at which events of an index or data stream go, in milliseconds; undefined: never. */
export function ageFor(policy: RetentionPolicy, name: string): number | undefined {
  const best = Object.keys(policy.patterns)
    .filter((pattern) => matchesPattern(pattern, name))
    .sort((a, b) => b.length - a.length)[0]
  return best === undefined ? ageMs('max_age', policy.max_age) : ageMs(best, policy.patterns[best])
}
