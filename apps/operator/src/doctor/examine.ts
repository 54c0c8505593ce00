import { messageOf } from '@logstack/errors'
import { type Stack, searchIsRemote } from '../stack.ts'
import type { DoctorContext, Fault, FaultOutcome } from './define-fault.ts'
import { Observations } from './observations.ts'

/** What one check saw, and whose consequence it is. */
export interface Examined {
  readonly fault: Fault
  readonly outcome: FaultOutcome
  /** The found fault that explains this one; only where `outcome` is a fault. */
  readonly follows?: string
  readonly elapsedMs: number
}

const lookLimitMs = 6_000

/** Looks at everything at once, each check within its limit times `patience`. What a check throws, or one that does not end, is `unknown`, never a fault. */
export async function examine(
  stack: Stack,
  faults: readonly Fault[],
  ask?: DoctorContext['ask'],
  patience = 1,
): Promise<Examined[]> {
  const context: DoctorContext = { stack, look: new Observations(stack, patience), ...(ask ? { ask } : {}) }
  const isRemote = searchIsRemote(stack)
  const possible = faults.filter(
    ({ runtimes, ofOwnSearch }) =>
      (runtimes === undefined || runtimes.includes(stack.runtime.kind)) && !(isRemote && ofOwnSearch),
  )
  const looked = await Promise.all(
    possible.map(async (fault) => {
      const startedAtMs = performance.now()
      const outcome = await withinLimit(fault, context, patience)
      return { fault, outcome, elapsedMs: performance.now() - startedAtMs }
    }),
  )
  const found = new Set(looked.filter(({ outcome }) => outcome.status === 'fault').map(({ fault }) => fault.name))
  return looked.map((one) => {
    const follows = one.outcome.status === 'fault' ? one.fault.explainedBy.find((name) => found.has(name)) : undefined
    return follows === undefined ? one : { ...one, follows }
  })
}

async function withinLimit(fault: Fault, context: DoctorContext, patience: number): Promise<FaultOutcome> {
  const limitMs = (fault.limitMs ?? lookLimitMs) * patience
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<FaultOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'unknown', why: `no answer within ${limitMs / 1000} s` }), limitMs)
  })
  const look = fault.diagnose(context).catch((thrown: unknown): FaultOutcome => {
    return { status: 'unknown', why: messageOf(thrown) }
  })
  try {
    return await Promise.race([look, late])
  } finally {
    clearTimeout(timer)
  }
}
