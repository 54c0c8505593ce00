import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Collection, Store } from '../../store/store.ts'
import { readTime } from '../../values/unit-values.ts'
import { actions } from './actions/index.ts'
import type { Phase } from './state.ts'

/** The phases of a policy, in the order in which an index goes through them. */
export const phaseNames = ['hot', 'warm', 'cold', 'frozen', 'delete'] as const

export type PhaseName = (typeof phaseNames)[number]

type Json = Readonly<Record<string, unknown>>

/** A policy as it is kept and shown. */
export interface LifecyclePolicy {
  readonly phases: Readonly<Partial<Record<PhaseName, Phase>>>
  readonly _meta?: Json
}

/** A stored policy, with how often and when it was changed. */
export interface StoredPolicy {
  readonly version: number
  readonly modified_date: string
  readonly policy: LifecyclePolicy
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** What an index does in each phase, in the order of Elasticsearch; an action that is not here is not allowed there. */
export const actionsOf: Readonly<Record<PhaseName, readonly string[]>> = {
  hot: ['set_priority', 'unfollow', 'rollover', 'readonly', 'shrink', 'forcemerge'],
  warm: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'shrink', 'forcemerge'],
  cold: ['set_priority', 'unfollow', 'readonly', 'allocate', 'migrate', 'freeze'],
  frozen: [],
  delete: ['wait_for_snapshot', 'delete'],
}

/** Of Elasticsearch's actions those that cannot be done here. Believed silently, a policy would promise what does not happen. */
const unsupported = ['searchable_snapshot', 'downsample']

/** Reads `PUT /_ilm/policy/{name}`. Throws `illegal_argument_exception` for phases, actions and times that are not allowed. */
export function parsePolicy(given: unknown): LifecyclePolicy {
  if (!isObject(given)) throw invalid('Required [policy]')
  const { phases: givenPhases, _meta: meta, ...unknown } = given
  const [other] = Object.keys(unknown).filter((key) => key !== 'deprecated')
  if (other !== undefined) throw unknownField('lifecycle_policy', other)
  if (!isObject(givenPhases)) throw invalid('Required [phases]')
  const phases: Partial<Record<PhaseName, Phase>> = {}
  for (const [name, phase] of Object.entries(givenPhases)) {
    const known = phaseNames.find((one) => one === name)
    if (known === undefined) throw invalid(`Timeseries lifecycle does not support phase [${name}]`)
    if (!isObject(phase)) throw invalid(`[${name}] phase expects an object`)
    phases[known] = parsePhase(known, phase)
  }
  return { phases, ...(isObject(meta) ? { _meta: meta } : {}) }
}

function unknownField(where: string, field: string): AppError {
  return new AppError(searchErrors.x_content_parse_exception, `[1:1] [${where}] unknown field [${field}]`)
}

function parsePhase(phase: PhaseName, given: Json): Phase {
  const { min_age: minAge = '0ms', actions: givenActions = {}, ...unknown } = given
  const [other] = Object.keys(unknown)
  if (other !== undefined) throw unknownField('phase', other)
  readTime('min_age', String(minAge))
  if (!isObject(givenActions)) throw invalid(`[actions] of phase [${phase}] expects an object`)
  const read: Record<string, Json> = {}
  for (const [name, body] of Object.entries(givenActions)) {
    if (unsupported.includes(name)) throw invalid(`action [${name}] defined in phase [${phase}] is not supported here`)
    const action = actions.get(name)
    if (action === undefined) throw unknownField(`phase] [actions`, name)
    if (!actionsOf[phase].includes(name)) throw invalid(`invalid action [${name}] defined in phase [${phase}]`)
    const options = body ?? {}
    if (!isObject(options)) throw invalid(`action [${name}] of phase [${phase}] expects an object`)
    action.check(options)
    read[name] = options
  }
  return { min_age: String(minAge), actions: read }
}

/** The stored policies by name. */
export function policiesOf(store: Pick<Store, 'collection'>): Collection<StoredPolicy> {
  return store.collection<StoredPolicy>('ilm_policy')
}

/** The name of the policy that manages an index; undefined when none does. */
export function policyNameOf({ settings }: Pick<IndexMeta, 'settings'>): string | undefined {
  return settings['lifecycle.name'] || undefined
}

/** Whether a policy with a delete phase says when an index goes. */
export function deletesByPolicy(index: IndexMeta, store: Pick<Store, 'collection'>): boolean {
  const name = policyNameOf(index)
  return name !== undefined && policiesOf(store).get(name)?.policy.phases.delete !== undefined
}
