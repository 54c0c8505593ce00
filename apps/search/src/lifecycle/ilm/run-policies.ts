import { isAppError, messageOf } from '@logstack/errors'
import type { IndexMeta } from '../../model/index-meta.ts'
import { readTime } from '../../values/unit-values.ts'
import { rolledOverAtMs } from '../rollover.ts'
import type { ActionContext } from './actions/define-action.ts'
import { actions } from './actions/index.ts'
import { actionsOf, type PhaseName, phaseNames, policiesOf, policyNameOf, type StoredPolicy } from './policies.ts'
import { keepState, type LifecycleState, lifecycleStates, operationMode, type Phase } from './state.ts'

/** From when the age of an index counts: its rollover, else its origin as its settings name it, else its creation; epoch milliseconds. */
export function lifecycleDateMs(index: IndexMeta, context: Pick<ActionContext, 'catalogue' | 'store' | 'now'>): number {
  const origin = Number(index.settings['lifecycle.origination_date'] ?? -1)
  return rolledOverAtMs(index, context) ?? (origin >= 0 ? origin : index.createdAtMs)
}

/** Milliseconds of a `min_age`. */
function minAgeMs(phase: Phase): number {
  return readTime('min_age', phase.min_age)
}

/** Lets every managed index go on in its policy, as far as it can now. One that fails says so in its state and stops nobody else. */
export async function runPolicies(context: ActionContext): Promise<void> {
  if (operationMode(context.store) === 'STOPPED') return
  const { catalogue, store } = context
  const living = new Set<string>()
  for (const index of [...catalogue.indices()]) {
    living.add(index.uuid)
    if (policyNameOf(index) !== undefined) await advance(index, context)
  }
  for (const [uuid] of [...lifecycleStates(store).entries()])
    if (!living.has(uuid)) await keepState({ uuid }, undefined, store)
}

/** Lets one index go on in its policy until it has to wait, fails, or is gone. */
export async function advance(given: IndexMeta, context: ActionContext): Promise<void> {
  const { catalogue, store } = context
  // As many turns as a policy can have actions and phases, and no more.
  for (let turn = 0; turn < 64; turn += 1) {
    const index = catalogue.indexById(given.id)
    const name = index && policyNameOf(index)
    const policy = name === undefined ? undefined : policiesOf(store).get(name)
    if (index === undefined || name === undefined || policy === undefined) return
    const before = currentState(index, name, policy, context)
    const after = await nextState(index, before, policy, context)
    if (after === 'gone') return
    if (after !== lifecycleStates(store).get(index.uuid)) await keepState(index, after, store)
    if (after === before || after.step === 'ERROR' || after.stepInfo !== undefined) return
  }
}

function currentState(
  index: IndexMeta,
  name: string,
  stored: StoredPolicy,
  { store, now }: ActionContext,
): LifecycleState {
  const kept = lifecycleStates(store).get(index.uuid)
  const modifiedDateMs = Date.parse(stored.modified_date)
  if (kept === undefined || kept.policy !== name) {
    const nowMs = now()
    const times = { phaseTimeMs: nowMs, actionTimeMs: nowMs, stepTimeMs: nowMs }
    const { version } = stored
    return { policy: name, version, modifiedDateMs, phase: 'new', action: 'complete', step: 'complete', ...times }
  }
  if (kept.version === stored.version) return kept
  // A changed policy holds at once where the phase still has what the index is at.
  const definition = stored.policy.phases[kept.phase as PhaseName]
  const fits =
    definition !== undefined && (kept.action === 'complete' || Object.hasOwn(definition.actions, kept.action))
  return fits ? { ...kept, version: stored.version, modifiedDateMs, definition } : kept
}

async function nextState(
  index: IndexMeta,
  state: LifecycleState,
  stored: StoredPolicy,
  context: ActionContext,
): Promise<LifecycleState | 'gone'> {
  if (state.action === 'complete') return enterPhase(index, state, stored, context)
  const action = actions.get(state.action)
  const options = state.definition?.actions[state.action]
  if (action === undefined || options === undefined) return atAction(state, following(state), context.now())
  try {
    const outcome = await action.run(index, options, context)
    if (outcome === 'gone') return 'gone'
    if (outcome === 'done') return atAction(state, following(state), context.now())
    const stepInfo = { message: outcome.waits }
    const { failedStep: _failed, retries: _retries, ...rest } = state
    const isSame = state.step === action.step && state.stepInfo?.['message'] === outcome.waits
    return isSame ? state : { ...rest, step: action.step, stepTimeMs: context.now(), stepInfo }
  } catch (thrown) {
    return failed(state, action.step, thrown, context)
  }
}

function failed(state: LifecycleState, step: string, thrown: unknown, { now, logger }: ActionContext): LifecycleState {
  const type = isAppError(thrown) ? thrown.code : 'exception'
  const reason = messageOf(thrown)
  const isNew = state.step !== 'ERROR'
  if (isNew) logger.warn({ policy: state.policy, phase: state.phase, step, reason }, 'a lifecycle policy cannot go on')
  const retries = isNew ? 0 : (state.retries ?? 0) + 1
  const stepTimeMs = isNew ? now() : state.stepTimeMs
  return { ...state, step: 'ERROR', stepTimeMs, failedStep: step, retries, stepInfo: { type, reason } }
}

/** The action after the one an index is at, in its phase. */
function following(state: LifecycleState): string {
  const order = state.definition ? orderedActions(state.phase as PhaseName, state.definition) : []
  return order[order.indexOf(state.action) + 1] ?? 'complete'
}

function orderedActions(phase: PhaseName, definition: Phase): string[] {
  return actionsOf[phase].filter((name) => Object.hasOwn(definition.actions, name))
}

function atAction(state: LifecycleState, action: string, nowMs: number): LifecycleState {
  const { failedStep: _failed, retries: _retries, stepInfo: _info, ...rest } = state
  const step = action === 'complete' ? 'complete' : (actions.get(action)?.step ?? action)
  return { ...rest, action, actionTimeMs: nowMs, step, stepTimeMs: nowMs }
}

function enterPhase(
  index: IndexMeta,
  state: LifecycleState,
  { policy }: StoredPolicy,
  context: ActionContext,
): LifecycleState {
  const at = phaseNames.indexOf(state.phase as PhaseName)
  const next = phaseNames.slice(at + 1).find((name) => policy.phases[name] !== undefined)
  const definition = next && policy.phases[next]
  if (next === undefined || definition === undefined) return state
  const nowMs = context.now()
  if (nowMs - lifecycleDateMs(index, context) < minAgeMs(definition)) return state
  return startPhase(state, next, definition, nowMs)
}

/** The state of an index at the beginning of a phase, or at one of its actions. */
export function startPhase(
  state: LifecycleState,
  phase: PhaseName,
  definition: Phase,
  nowMs: number,
  action = orderedActions(phase, definition)[0] ?? 'complete',
): LifecycleState {
  return atAction({ ...state, phase, phaseTimeMs: nowMs, definition }, action, nowMs)
}
