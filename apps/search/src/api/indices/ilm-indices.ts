import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { type PhaseName, phaseNames, policiesOf, policyNameOf } from '../../lifecycle/ilm/policies.ts'
import { advance, lifecycleDateMs, startPhase } from '../../lifecycle/ilm/run-policies.ts'
import { keepState, type LifecycleState, lifecycleStates, type Phase, type StepKey } from '../../lifecycle/ilm/state.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { readableTime } from '../encoding/human-values.ts'
import { objectBody } from '../read-request.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { indicesOf } from './index-admin.ts'

const timeouts = { timeout: 'time', master_timeout: 'time' } as const

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

function explain(index: IndexMeta, services: Services): Record<string, unknown> {
  const policy = policyNameOf(index)
  if (policy === undefined) return { index: index.name, managed: false }
  const nowMs = services.now()
  const dateMs = lifecycleDateMs(index, services)
  const head = {
    index: index.name,
    managed: true,
    policy,
    index_creation_date_millis: index.createdAtMs,
    time_since_index_creation: readableTime(nowMs - index.createdAtMs),
    lifecycle_date_millis: dateMs,
    age: readableTime(nowMs - dateMs),
  }
  const state = lifecycleStates(services.store).get(index.uuid)
  if (state?.policy !== policy) {
    const missing = policiesOf(services.store).get(policy) === undefined
    return missing
      ? { ...head, step_info: { type: 'illegal_argument_exception', reason: `policy [${policy}] does not exist` } }
      : head
  }
  return { ...head, ...explainState(state) }
}

function explainState(state: LifecycleState): Record<string, unknown> {
  const execution = {
    policy: state.policy,
    ...(state.definition ? { phase_definition: state.definition } : {}),
    version: state.version,
    modified_date_in_millis: state.modifiedDateMs,
  }
  const failed = {
    failed_step: state.failedStep,
    is_auto_retryable_error: true,
    failed_step_retry_count: state.retries ?? 0,
  }
  return {
    phase: state.phase,
    phase_time_millis: state.phaseTimeMs,
    action: state.action,
    action_time_millis: state.actionTimeMs,
    step: state.step,
    step_time_millis: state.stepTimeMs,
    ...(state.failedStep === undefined ? {} : failed),
    ...(state.stepInfo ? { step_info: state.stepInfo } : {}),
    phase_execution: execution,
  }
}

const explainRoute = defineRoute({
  name: 'ilm.explain_lifecycle',
  methods: ['GET'],
  paths: ['/{index}/_ilm/explain'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, ...timeouts, only_managed: 'boolean', only_errors: 'boolean' },
  async handle(request, services) {
    const { only_managed: onlyManaged, only_errors: onlyErrors } = request.query
    const indices: Record<string, unknown> = {}
    for (const index of indicesOf(request, services, 'ilm.explain_lifecycle', 'view_index_metadata')) {
      const shown = explain(index, services)
      if ((onlyManaged === true || onlyErrors === true) && shown['managed'] !== true) continue
      if (onlyErrors === true && shown['step'] !== 'ERROR' && !('step_info' in shown && !('phase' in shown))) continue
      indices[index.name] = shown
    }
    return { json: { indices } }
  },
})

const retry = defineRoute({
  name: 'ilm.retry',
  methods: ['POST'],
  paths: ['/{index}/_ilm/retry'],
  privilege: { index: 'manage_ilm' },
  parameters: timeouts,
  async handle(request, services) {
    const found = indicesOf(request, services, 'ilm.retry', 'manage_ilm')
    const states = lifecycleStates(services.store)
    for (const { name, uuid } of found)
      if (states.get(uuid)?.step !== 'ERROR')
        throw invalid(
          `cannot retry an action for an index [${name}] that has not encountered an error when running a Lifecycle Policy`,
        )
    for (const index of found) await advance(index, services)
    return { json: { acknowledged: true } }
  },
})

const remove = defineRoute({
  name: 'ilm.remove_policy',
  methods: ['POST'],
  paths: ['/{index}/_ilm/remove'],
  privilege: { index: 'manage_ilm' },
  parameters: timeouts,
  async handle(request, services) {
    for (const index of indicesOf(request, services, 'ilm.remove_policy', 'manage_ilm')) {
      const own = Object.keys(index.settings).filter((name) => name.startsWith('lifecycle.'))
      await services.catalogue.putSettings(index, Object.fromEntries(own.map((name) => [name, null])))
      await keepState(index, undefined, services.store)
    }
    return { json: { has_failures: false, failed_indexes: [] } }
  },
})

function stepKey(given: unknown, what: string): { phase: string; action?: string; name?: string } {
  if (!isObject(given) || typeof given['phase'] !== 'string') throw invalid(`[${what}] must name a phase`)
  const { phase, action, name } = given
  if ((action === undefined) !== (name === undefined))
    throw invalid(`phase, and optionally both action and step name must be provided in [${what}]`)
  return { phase, ...(action === undefined ? {} : { action: String(action), name: String(name) }) }
}

const showStep = ({ phase, action, name }: StepKey): string => JSON.stringify({ phase, action, name })

const move = defineRoute({
  name: 'ilm.move_to_step',
  methods: ['POST'],
  paths: ['/_ilm/move/{index}'],
  privilege: { cluster: 'manage_ilm' },
  parameters: timeouts,
  async handle(request, services) {
    const name = request.params['index'] ?? ''
    const body = objectBody(request.json(), 'move_to_step_request')
    const current = stepKey(body['current_step'], 'current_step')
    const next = stepKey(body['next_step'], 'next_step')
    const index = services.catalogue.index(name)
    if (!index) throw invalid(`index [${name}] does not exist`)
    const policy = policyNameOf(index)
    const stored = policy === undefined ? undefined : policiesOf(services.store).get(policy)
    const state = lifecycleStates(services.store).get(index.uuid)
    if (!stored || !state) throw invalid(`index [${name}] is not associated with an Index Lifecycle Policy`)
    const here = { phase: state.phase, action: state.action, name: state.step }
    const isThere =
      current.phase === here.phase &&
      (current.action ?? here.action) === here.action &&
      (current.name ?? here.name) === here.name
    if (!isThere)
      throw invalid(
        `index [${name}] is not on current step [${JSON.stringify(current)}], currently: [${showStep(here)}]`,
      )
    const definition = phaseOf(next, stored.policy.phases, policy ?? '')
    const moved = startPhase(state, next.phase as PhaseName, definition, services.now(), next.action)
    await keepState(index, moved, services.store)
    await advance(index, services)
    return { json: { acknowledged: true } }
  },
})

function phaseOf(
  next: { phase: string; action?: string; name?: string },
  phases: Readonly<Partial<Record<PhaseName, Phase>>>,
  policy: string,
): Phase {
  const phase = phaseNames.find((one) => one === next.phase)
  const definition = phase && phases[phase]
  const hasAction =
    next.action === undefined || next.action === 'complete' || definition?.actions[next.action] !== undefined
  if (definition && hasAction) return definition
  throw invalid(`step [${JSON.stringify(next)}] for index with policy [${policy}] does not exist`)
}

/** Where indices are in their policies, and moving them on. */
export const ilmIndexRoutes: readonly Route[] = [explainRoute, retry, remove, move]
