import { setTimeout as delay } from 'node:timers/promises'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { type Stack, useStack } from '../stack.ts'
import type { StepProgress } from '../steps/define-step.ts'
import type { DoctorContext, Fault, FaultOutcome, Finding } from './define-fault.ts'
import { type Examined, examine } from './examine.ts'
import { Observations } from './observations.ts'

/** How one repair ended. `left`: a person must decide, or said no. `interrupted`: doctor itself was ended, for the audit log. */
export type RepairEnd = 'mended' | 'failed' | 'left' | 'interrupted'

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
/** How often one fault is mended: the second time only when another was mended since the first. */
const triesMax = 2
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
 * Mends what was found, causes first. Before each further repair its fault and what could explain it are looked at again, after the last one
 * everything, since a consequence often goes with its cause. Each fault is tried once, and, when nothing else is left to mend, once more if
 * another was mended since: it may have been in the way. What is left is in the last look. A function opens the stack anew each time: a repair
 * may have changed what it was opened with, such as its address or where its definitions lie.
 */
export async function repairAll(
  stackOrOpen: Stack | (() => Stack),
  faults: readonly Fault[],
  options: { readonly only?: ReadonlySet<string>; readonly talk: RepairTalk },
): Promise<{ readonly last: readonly Examined[]; readonly repairs: readonly RepairRecord[] }> {
  const open = typeof stackOrOpen === 'function' ? stackOrOpen : () => stackOrOpen
  const { only, talk } = options
  const look: Look = (wanted) => useStack(open, (stack) => examine(stack, wanted, talk.ask, patience))
  const repairs: RepairRecord[] = []
  const tried = new Set<string>()
  const unseen = new UnseenLooks()
  const isWanted = (one: Examined): boolean => isCause(one) && only?.has(one.fault.name) !== false
  for (;;) {
    const last = await look(faults)
    const worthATry = nextToMend(last.filter(isWanted), { tried, repairs })
    if (worthATry.length === 0) {
      if (!unseen.shallLookAgain(last)) return { last, repairs }
      await delay(busyPauseMs)
      continue
    }
    for (const [at, { fault, outcome }] of worthATry.entries()) {
      const now = at === 0 ? outcome : await outcomeOf(fault, faults, look)
      if (now?.status !== 'fault') continue
      tried.add(fault.name)
      if (mayHaveSettled(fault, now, repairs) && (await untilWell(fault, look, settleLimitMs, talk.progress)).isWell)
        continue
      const record = await useStack(open, (stack) => repairOne(stack, { fault, finding: now, look, talk }))
      repairs.push(record)
      talk.ended(record)
      if (record.end !== 'mended') continue
      unseen.noteMended()
      if (mayHaveHidden(last)) break
    }
  }
}

/** The causes that were not tried yet; when there is none, those that may go better now. */
function nextToMend(
  causes: readonly Examined[],
  { tried, repairs }: { readonly tried: ReadonlySet<string>; readonly repairs: readonly RepairRecord[] },
): readonly Examined[] {
  const untried = causes.filter(({ fault }) => !tried.has(fault.name))
  return untried.length > 0 ? untried : causes.filter(({ fault }) => mayGoBetterNow(fault, repairs))
}

// What failed may have failed for a fault that is mended now, and what was mended may have been broken again by the mending of another one.
function mayGoBetterNow(fault: Fault, repairs: readonly RepairRecord[]): boolean {
  const own = repairs.filter(({ check }) => check === fault.name)
  if (own.length === 0 || own.length >= triesMax || own.some(({ end }) => end === 'left')) return false
  const lastTry = repairs.findLastIndex(({ check }) => check === fault.name)
  return repairs.some(({ end }, at) => at > lastTry && end === 'mended')
}

// Without the network nobody sees the firewall: what could not be looked at may be the cause of what would be mended next, which would wait for it in vain.
function mayHaveHidden(last: readonly Examined[]): boolean {
  return last.some(isUnseen)
}

/** Whether what could not be looked at is worth another look: a busy host was too slow, or parts that a repair started anew do not answer yet. */
class UnseenLooks {
  #left = looksAgainMax
  #mendedAtMs = Number.NEGATIVE_INFINITY

  noteMended(): void {
    this.#mendedAtMs = performance.now()
  }

  shallLookAgain(last: readonly Examined[]): boolean {
    if (performance.now() - this.#mendedAtMs < unseenLimitMs) return last.some(isUnseen)
    this.#left -= 1
    return this.#left >= 0 && last.some(gaveUp)
  }
}

function isCause({ outcome, follows }: Examined): boolean {
  return outcome.status === 'fault' && follows === undefined
}

// Nothing of the stack mends it, and what may explain it was mended.
function mayHaveSettled(fault: Fault, { repair }: Finding, repairs: readonly RepairRecord[]): boolean {
  return !repair && repairs.some(({ check, end }) => end === 'mended' && fault.explainedBy.includes(check))
}

/** What is wrong with a fault now; undefined when it is gone, or follows from another one. */
async function outcomeOf(fault: Fault, faults: readonly Fault[], look: Look): Promise<FaultOutcome | undefined> {
  return (await look(withCauses(fault, faults))).find((one) => one.fault === fault && isCause(one))?.outcome
}

function withCauses(fault: Fault, faults: readonly Fault[]): Fault[] {
  return faults.filter((one) => one === fault || fault.explainedBy.includes(one.name))
}

/** One look at some of the faults, with the stack opened anew. */
type Look = (wanted: readonly Fault[]) => Promise<readonly Examined[]>

/** How a fault looked in the end: well, with the evidence, or what was seen last. */
interface Waited {
  readonly isWell: boolean
  readonly words: string
}

// Looks again and again until a fault is gone. A look that could not be made (search starts anew) says nothing: the next one may.
async function untilWell(fault: Fault, look: Look, limitMs: number, progress: StepProgress): Promise<Waited> {
  const endMs = performance.now() + limitMs
  for (;;) {
    const outcome = (await look([fault]))[0]?.outcome
    if (!outcome) return { isWell: true, words: 'it cannot be here' }
    if (outcome.status === 'healthy' || outcome.status === 'information') return { isWell: true, words: outcome.detail }
    const words = outcome.status === 'fault' ? outcome.problem : outcome.why
    if (performance.now() > endMs) return { isWell: false, words }
    progress.waiting(words)
    await delay(proofPauseMs)
  }
}

function isUnseen({ outcome }: Examined): boolean {
  return outcome.status === 'unknown'
}

function gaveUp({ outcome }: Examined): boolean {
  return outcome.status === 'unknown' && outcome.why.includes('no answer within')
}

interface RepairTask {
  readonly fault: Fault
  readonly finding: Finding
  readonly look: Look
  readonly talk: RepairTalk
}

async function repairOne(stack: Stack, { fault, finding, look, talk }: RepairTask): Promise<RepairRecord> {
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
  const prove = async (limitMs: number): Promise<string> => {
    // Certificates and passwords may be new: no connection of before is used again.
    stack.clients.close()
    return finding.prove ? finding.prove(fresh()) : lookAgain(fault, look, limitMs, talk.progress)
  }
  try {
    await repair(fresh(), talk.progress)
    return ended('mended', await prove(proofLimitMs))
  } catch (thrown) {
    // What came after the mending may have failed for another fault: parts that are started do not start for one that is mended next.
    const [proof] = await Promise.allSettled([prove(0)])
    if (proof.status === 'rejected') return ended('failed', messageOf(thrown))
    return ended('mended', `${proof.value}; what remains: ${messageOf(thrown)}`)
  }
}

async function lookAgain(fault: Fault, look: Look, limitMs: number, progress: StepProgress): Promise<string> {
  const { isWell, words } = await untilWell(fault, look, limitMs, progress)
  if (isWell) return words
  throw new AppError(operatorErrors.step_unproven, `after the repair: ${words}`, { fix: './logstack doctor' })
}
