import type { Runtime } from '../runtimes/runtime.ts'
import type { Stack } from '../stack.ts'
import type { StepProgress } from '../steps/define-step.ts'
import type { Observations } from './observations.ts'

/**
 * What a look at one possible fault found; `E` is what plan, repair and proof need to know of it.
 * `information`: worth a line, never a fault (an edited definition). `unknown`: this check could not look; the reason is another fault's.
 */
export type Diagnosis<E> =
  | { readonly status: 'healthy'; readonly detail: string }
  | { readonly status: 'information'; readonly detail: string }
  | { readonly status: 'unknown'; readonly why: string }
  | FoundFault<E>

/** A fault, told so that its reader can check it. */
export interface FoundFault<E> {
  readonly status: 'fault'
  /** One sentence: what is wrong. */
  readonly problem: string
  /** What was seen, a line each: a log line, a value, a file, a holder's PID with its start time. Never a secret. */
  readonly evidence: readonly string[]
  /** One sentence: what it means for the user. */
  readonly meaning: string
  readonly found: E
}

/** What a check may use: the stack, and one shared look at it. */
export interface DoctorContext {
  readonly stack: Stack
  /** Answers of outside programs and parts, asked for once a round however many checks want them. */
  readonly look: Observations
  /** Asks the person at the terminal, without echo where `secret`; absent when nobody is there (`--yes`, a timer). */
  readonly ask?: (question: string, options: { readonly secret: boolean }) => Promise<string>
}

/** One fault: how it is seen, what would mend it, the mending and its proof. */
export interface FaultCheck<E> {
  /** The file's name, for `--only`, JSON and the table of faults. */
  readonly name: string
  /** A few words: what is looked at. */
  readonly title: string
  /** Runtimes where the fault can exist; both unless given. */
  readonly runtimes?: readonly Runtime['kind'][]
  /** The fault is one of search itself: not looked for where somebody else's cluster stands in its place. */
  readonly ofOwnSearch?: boolean
  /**
   * Faults that have this one as a consequence: while one of them is found, this is told under it and mended after it. A check that can
   * tell by its own evidence (a refused connection is no 401) answers `unknown` instead and lists nothing here.
   */
  readonly explainedBy?: readonly string[]
  /** The look is given up after this; 6 seconds unless given. */
  readonly limitMs?: number
  /** Read-only. */
  diagnose(context: DoctorContext): Promise<Diagnosis<E>>
  /** The exact commands that mend it, in order, as a person could type them; credentials as `<NEW_PASSWORD>`. */
  plan(context: DoctorContext, found: E): readonly string[]
  /** Does what the plan says. Absent where a person must decide (a lost primary, a vendor's guide). */
  repair?(context: DoctorContext, found: E, progress: StepProgress): Promise<void>
  /** Shows that it is mended, with the evidence; throws `step_unproven`. Unless given, the check looks again until it is healthy. */
  prove?(context: DoctorContext, found: E): Promise<string>
}

/** A fault found, ready to be mended: its commands, and what they do bound to what was found. */
export interface Finding extends Omit<FoundFault<unknown>, 'found'> {
  readonly plan: readonly string[]
  readonly repair?: (context: DoctorContext, progress: StepProgress) => Promise<void>
  readonly prove?: (context: DoctorContext) => Promise<string>
}

/** What one check saw in one round. */
export type FaultOutcome = Exclude<Diagnosis<unknown>, FoundFault<unknown>> | Finding

/** A declared fault; what it found stays inside. */
export interface Fault extends Pick<FaultCheck<unknown>, 'name' | 'title' | 'runtimes' | 'limitMs' | 'ofOwnSearch'> {
  readonly explainedBy: readonly string[]
  diagnose(context: DoctorContext): Promise<FaultOutcome>
}

/** Declares a fault. */
export function defineFault<E>(check: FaultCheck<E>): Fault {
  const { name, title, runtimes, limitMs, ofOwnSearch = false, explainedBy = [] } = check
  return {
    name,
    title,
    explainedBy,
    ofOwnSearch,
    ...(runtimes ? { runtimes } : {}),
    ...(limitMs === undefined ? {} : { limitMs }),
    async diagnose(context) {
      const diagnosis = await check.diagnose(context)
      if (diagnosis.status !== 'fault') return diagnosis
      const { found, ...told } = diagnosis
      const { repair, prove } = check
      return {
        ...told,
        plan: check.plan(context, found),
        ...(repair ? { repair: (now, progress) => repair(now, found, progress) } : {}),
        ...(prove ? { prove: (now) => prove(now, found) } : {}),
      }
    },
  }
}
