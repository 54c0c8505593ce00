import type { IndexMeta } from '../../model/index-meta.ts'
import type { Collection, Store } from '../../store/store.ts'

/** A phase: how old an index must be for it (`min_age`, from its creation or its rollover), and what is done then. */
export interface Phase {
  readonly min_age: string
  readonly actions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Where an index is in its policy; kept over restarts, under the index's uuid. Times in epoch milliseconds. */
export interface LifecycleState {
  readonly policy: string
  readonly version: number
  readonly modifiedDateMs: number
  /** `new` before the first one. */
  readonly phase: string
  readonly phaseTimeMs: number
  /** `complete` when the phase has no more to do. */
  readonly action: string
  readonly actionTimeMs: number
  /** `ERROR` while `failedStep` cannot be done. */
  readonly step: string
  readonly stepTimeMs: number
  readonly failedStep?: string
  readonly retries?: number
  readonly stepInfo?: Readonly<Record<string, unknown>>
  /** The phase as the policy had it when the index entered it. */
  readonly definition?: Phase
}

/** What to name a place in a policy by. */
export interface StepKey {
  readonly phase: string
  readonly action: string
  readonly name: string
}

/** The states of managed indices, by uuid. */
export function lifecycleStates(store: Pick<Store, 'collection'>): Collection<LifecycleState> {
  return store.collection<LifecycleState>('ilm_state')
}

/** Keeps the state of an index; undefined forgets it. */
export async function keepState(
  index: Pick<IndexMeta, 'uuid'>,
  state: LifecycleState | undefined,
  store: Store,
): Promise<void> {
  await store.transaction(() => {
    const states = lifecycleStates(store)
    if (state === undefined) states.remove(index.uuid)
    else states.put(index.uuid, state)
  })
}

type Mode = 'RUNNING' | 'STOPPED'

/** Whether policies run. */
export function operationMode(store: Pick<Store, 'collection'>): Mode {
  return store.collection<Mode>('ilm_mode').get('mode') ?? 'RUNNING'
}

/** Lets policies run or rest; kept over restarts. */
export async function setOperationMode(mode: Mode, store: Store): Promise<void> {
  await store.transaction(() => store.collection<Mode>('ilm_mode').put('mode', mode))
}
