import { AppError, searchErrors } from '@logstack/errors'
import { parseCron } from '../dates/cron.ts'
import { evaluateIndexName } from '../indices/index-names.ts'
import { isObject } from '../json/json-object.ts'
import { validationError } from '../refusals/validation-error.ts'
import { snapshotBodyKeys } from '../snapshots/snapshot-members.ts'
import { snapshotNameFault } from '../snapshots/snapshot-name.ts'
import type { Collection, Store } from '../store/store.ts'
import { readTime } from '../values/unit-values.ts'

type Json = Readonly<Record<string, unknown>>

/** How many snapshots of a policy stay, and how long. */
export interface SnapshotRetention {
  readonly expire_after?: string
  readonly min_count?: number
  readonly max_count?: number
}

/** A policy as it is put and shown. */
export interface SnapshotPolicy {
  /** Names of snapshots; may be date math. */
  readonly name: string
  readonly schedule: string
  readonly repository: string
  /** As the body of a snapshot. */
  readonly config: Json
  readonly retention?: SnapshotRetention
}

/** A policy as it is kept. */
export interface StoredSnapshotPolicy {
  readonly version: number
  readonly modifiedMs: number
  readonly policy: SnapshotPolicy
}

/** The end of one snapshot of a policy; `details` of one that failed. */
export interface SnapshotOutcome {
  readonly snapshot_name: string
  readonly start_time?: number
  readonly time: number
  readonly details?: string
}

/** What became of a policy; kept over restarts. */
export interface SnapshotPolicyState {
  /** When the next one is due, by the version of the policy that said so. */
  readonly dueMs?: number
  readonly dueVersion?: number
  readonly lastSuccess?: SnapshotOutcome
  readonly lastFailure?: SnapshotOutcome
  readonly taken: number
  readonly failed: number
  /** How many failed since the last that was made; what an older version kept does not say. */
  readonly failedInRow?: number
  readonly deleted: number
  readonly deletionFailures: number
}

/** The policies by name. */
export function snapshotPolicies(store: Pick<Store, 'collection'>): Collection<StoredSnapshotPolicy> {
  return store.collection<StoredSnapshotPolicy>('slm_policy')
}

const noState: SnapshotPolicyState = { taken: 0, failed: 0, deleted: 0, deletionFailures: 0 }

/** What became of a policy. */
export function snapshotPolicyState(store: Pick<Store, 'collection'>, name: string): SnapshotPolicyState {
  return store.collection<SnapshotPolicyState>('slm_state').get(name) ?? noState
}

/** Changes what is known of a policy; undefined forgets it. */
export async function changePolicyState(
  store: Store,
  name: string,
  change: (before: SnapshotPolicyState) => SnapshotPolicyState | undefined,
): Promise<void> {
  await store.transaction(() => {
    const states = store.collection<SnapshotPolicyState>('slm_state')
    const after = change(states.get(name) ?? noState)
    if (after) states.put(name, after)
    else states.remove(name)
  })
}

type Mode = 'RUNNING' | 'STOPPED'

/** Whether policies run by the clock. */
export function slmMode(store: Pick<Store, 'collection'>): Mode {
  return store.collection<Mode>('slm_mode').get('mode') ?? 'RUNNING'
}

/** Lets policies run by the clock, or rest; kept over restarts. */
export async function setSlmMode(mode: Mode, store: Store): Promise<void> {
  await store.transaction(() => store.collection<Mode>('slm_mode').put('mode', mode))
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** The first time after a moment that a schedule names; counted from the policy's last change where it is an interval (`1h`). */
export function nextOf({ policy, modifiedMs }: StoredSnapshotPolicy, afterMs: number): number | undefined {
  const { schedule } = policy
  if (!isInterval(schedule)) return parseCron(schedule).next(afterMs)
  const everyMs = readTime('schedule', schedule)
  return modifiedMs + (Math.floor(Math.max(0, afterMs - modifiedMs) / everyMs) + 1) * everyMs
}

function isInterval(schedule: string): boolean {
  return /^\d+\s*(?:d|h|m|s|ms)$/u.test(schedule)
}

/**
 * Reads the body of `PUT /_slm/policy/{id}`. Throws `illegal_argument_exception`, and `action_request_validation_exception` for a name that no snapshot of
 * it could have.
 */
export function parseSnapshotPolicy(id: string, body: Json, nowMs: number): SnapshotPolicy {
  if (id === '' || /[\s,#\\/*?"<>|]/u.test(id) || id.startsWith('_'))
    throw invalid(`invalid policy id [${id}]: must not contain whitespace or any of [,#\\/*?"<>|], nor start with '_'`)
  const { name, schedule, repository, config = {}, retention, ...unknown } = body
  const [other] = Object.keys(unknown)
  if (other !== undefined)
    throw new AppError(searchErrors.x_content_parse_exception, `[1:1] [snapshot_lifecycle] unknown field [${other}]`)
  const text = (option: string, given: unknown): string => {
    if (typeof given === 'string' && given !== '') return given
    throw invalid(`Required [${option}]`)
  }
  if (!isObject(config)) throw invalid('[config] expects an object')
  const unread = Object.keys(config).find((key) => !snapshotBodyKeys.includes(key))
  if (unread !== undefined) throw invalid(`invalid configuration for policy [${id}]: unknown parameter [${unread}]`)
  const { metadata } = config
  if (isObject(metadata) && 'policy' in metadata)
    throw invalid(`invalid snapshot metadata for policy [${id}]: field name [policy] is reserved`)
  checkSnapshotName(text('name', name), nowMs)
  return {
    name: text('name', name),
    schedule: text('schedule', schedule),
    repository: text('repository', repository),
    config,
    ...(retention === undefined ? {} : { retention: parseRetention(retention) }),
  }
}

/** The name as it would be now must do, with what is put behind it. */
function checkSnapshotName(name: string, nowMs: number): void {
  const fault = snapshotNameFault(evaluateIndexName(name, nowMs))
  if (fault !== undefined) throw validationError(`invalid snapshot name [${name}]: ${fault}`)
}

function parseRetention(given: unknown): SnapshotRetention {
  if (!isObject(given)) throw invalid('[retention] expects an object')
  const { expire_after, min_count, max_count, ...unknown } = given
  const [other] = Object.keys(unknown)
  if (other !== undefined)
    throw new AppError(searchErrors.x_content_parse_exception, `[1:1] [snapshot_retention] unknown field [${other}]`)
  if (expire_after !== undefined && !(readTime('expire_after', String(expire_after)) > 0))
    throw invalid(`[expire_after] must be a time above 0, but was: ${String(expire_after)}`)
  const count = (what: string, value: unknown): number | undefined => {
    if (value === undefined) return undefined
    if (/^\d{1,9}$/.test(String(value)) && Number(value) >= 1) return Number(value)
    throw invalid(`${what} snapshot count must be at least 1, but was: ${String(value)}`)
  }
  const [min, max] = [count('minimum', min_count), count('maximum', max_count)]
  if (min !== undefined && max !== undefined && min > max)
    throw invalid(`minimum snapshot count ${min} cannot be larger than maximum snapshot count ${max}`)
  return {
    ...(expire_after === undefined ? {} : { expire_after: String(expire_after) }),
    ...(min === undefined ? {} : { min_count: min }),
    ...(max === undefined ? {} : { max_count: max }),
  }
}

/** Throws `illegal_argument_exception` for a schedule that cannot be read, or whose times are closer to each other than `leastMs`. */
export function checkSchedule(stored: StoredSnapshotPolicy, leastMs: number): void {
  const { schedule } = stored.policy
  const first = nextOf(stored, stored.modifiedMs)
  if (first === undefined) throw invalid(`invalid schedule [${schedule}]: there is no such time any more`)
  const second = nextOf(stored, first)
  if (second === undefined || second - first >= leastMs) return
  throw invalid(
    `invalid schedule [${schedule}]: schedule would be too frequent, executing more than every [${leastMs / 60_000}m]`,
  )
}
