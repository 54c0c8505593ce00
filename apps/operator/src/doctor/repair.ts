import { setTimeout as delay } from 'node:timers/promises'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import type { DoctorContext, Fault, Finding } from '../checks/faults/define-fault.ts'
import type { Stack } from '../stack.ts'
import type { StepProgress } from '../steps/define-step.ts'
import { type Examined, examine } from './examine.ts'
import { Observations } from './observations.ts'

/** How one repair ended. `left`: a person must decide, or said no. */
export type RepairEnd = 'mended' | 'failed' | 'left'

/** One repair, for people, JSON and the audit log. */
export interface RepairRecord {
  readonly check: string
  readonly problem: string
  readonly plan: readonly string[]
  readonly end: RepairEnd
  /** The proof, or why it failed or was left. */
  readonly detail: string
  readonly elapsedMs: number
}

/** Who is told, and who agrees. */
export interface RepairTalk {
  /** Whether to do what the finding plans. */
  agree(fault: Fault, finding: Finding): Promise<boolean>
  /** What is being waited for. */
  readonly progress: StepProgress
  ended(record: RepairRecord): void
  readonly ask?: DoctorContext['ask']
}

const proofLimitMs = 180_000
const proofPauseMs = 500
/** On a busy host a look may not end in time; whoever wants repairs has the time for another. */
const looksAgainMax = 2
/** Mending in the right order needs to see the causes: each look may take this many times as long as one that only tells. */
const patience = 4
const busyPauseMs = 2_000
/** Parts that a repair has started anew do not answer at once: what could not be looked at then is looked at again for so long. */
const unseenLimitMs = 60_000
/** What only others can mend (an agent that tries again later) gets this long to recover by itself once its cause may have been mended. */
const settleLimitMs = 90_000

/**
 * Mends what was found, causes first: after each repair everything is looked at again, since a consequence often goes with its cause.
 * Each fault is tried once, and once more when its repair failed and another succeeded since. What is left is in the last look. A function opens the stack anew each time: a repair may have changed what it
 * was opened with, such as its address or where its definitions lie.
 */
export async function repairAll(
  stackOrOpen: Stack | (() => Stack),
  faults: readonly Fault[],
  options: { readonly only?: ReadonlySet<string>; readonly talk: RepairTalk },
): Promise<{ readonly last: readonly Examined[]; readonly repairs: readonly RepairRecord[] }> {
  const { talk } = options
  const repairs: RepairRecord[] = []
  const tried = new Set<string>()
  let looksAgain = looksAgainMax
  let mendedAtMs = Number.NEGATIVE_INFINITY
  for (;;) {
    const stack = typeof stackOrOpen === 'function' ? stackOrOpen() : stackOrOpen
    const last = await examine(stack, faults, talk.ask, patience)
    stack.clients.close()
    const next = last.find(
      ({ fault, outcome, follows }) =>
        outcome.status === 'fault' &&
        follows === undefined &&
        !tried.has(fault.name) &&
        (options.only === undefined || options.only.has(fault.name)),
    )
    if (next?.outcome.status !== 'fault') {
      const isStarting = performance.now() - mendedAtMs < unseenLimitMs && last.some(isUnseen)
      if (!isStarting && (!last.some(gaveUp) || looksAgain === 0)) return { last, repairs }
      if (!isStarting) looksAgain -= 1
      await delay(busyPauseMs)
      continue
    }
    tried.add(next.fault.name)
    if (
      !next.outcome.repair &&
      repairs.some(({ end }) => end === 'mended') &&
      (await hasSettled(stack, next.fault, talk))
    )
      continue
    const record = await repairOne(stack, next.fault, next.outcome, talk)
    repairs.push(record)
    if (record.end === 'mended') {
      mendedAtMs = performance.now()
      tryAgain(repairs, tried)
    }
    talk.ended(record)
  }
}

// Whether a fault that nothing here can mend goes by itself: its own report of before the last repair may be all that is left of it.
async function hasSettled(stack: Stack, fault: Fault, talk: RepairTalk): Promise<boolean> {
  const endMs = performance.now() + settleLimitMs
  while (performance.now() < endMs) {
    const outcome = await fault.diagnose({ stack, look: new Observations(stack, patience) })
    if (outcome.status !== 'fault') return true
    talk.progress.waiting(outcome.problem)
    await delay(proofPauseMs)
  }
  return false
}

// What failed may have failed for the very fault that is mended now: it gets one more try.
function tryAgain(repairs: readonly RepairRecord[], tried: Set<string>): void {
  for (const { check, end } of repairs) {
    if (end === 'failed' && repairs.filter((one) => one.check === check).length === 1) tried.delete(check)
  }
}

function isUnseen({ outcome }: Examined): boolean {
  return outcome.status === 'unknown'
}

function gaveUp({ outcome }: Examined): boolean {
  return outcome.status === 'unknown' && outcome.why.includes('no answer within')
}

async function repairOne(stack: Stack, fault: Fault, finding: Finding, talk: RepairTalk): Promise<RepairRecord> {
  const startedAtMs = performance.now()
  const ended = (end: RepairEnd, detail: string): RepairRecord => ({
    check: fault.name,
    problem: finding.problem,
    plan: finding.plan,
    end,
    detail,
    elapsedMs: performance.now() - startedAtMs,
  })
  const { repair } = finding
  if (!repair) return ended('left', 'this needs a decision of yours')
  if (!(await talk.agree(fault, finding))) return ended('left', 'not wanted')
  const fresh = (): DoctorContext => ({
    stack,
    look: new Observations(stack, patience),
    ...(talk.ask ? { ask: talk.ask } : {}),
  })
  try {
    await repair(fresh(), talk.progress)
    // Certificates and passwords may be new: no connection of before is used again.
    stack.clients.close()
    return ended('mended', finding.prove ? await finding.prove(fresh()) : await lookAgain(fault, fresh, talk.progress))
  } catch (thrown) {
    return ended('failed', messageOf(thrown))
  }
}

async function lookAgain(fault: Fault, fresh: () => DoctorContext, progress: StepProgress): Promise<string> {
  const endMs = performance.now() + proofLimitMs
  for (;;) {
    const outcome = await fault.diagnose(fresh())
    if (outcome.status === 'healthy' || outcome.status === 'information') return outcome.detail
    const seen = outcome.status === 'fault' ? outcome.problem : outcome.why
    if (performance.now() > endMs)
      throw new AppError(operatorErrors.step_unproven, `after the repair: ${seen}`, { fix: './logstack doctor' })
    progress.waiting(seen)
    await delay(proofPauseMs)
  }
}
