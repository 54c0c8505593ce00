import type { PartName } from '@logstack/contracts'
import type { Stack } from '../stack.ts'

/** What a step found: nothing to do, or what it would do, as lines for people (commands where there are any; never a secret). */
export type Finding = { readonly done: true } | { readonly done: false; readonly plan: readonly string[] }

/** What a step may tell while it works. */
export interface StepProgress {
  /** Replaces the text behind the step's title: what is being waited for. */
  waiting(text: string): void
}

/**
 * One idempotent step of install, start and repair. `diagnose` looks and changes nothing; `apply` does what diagnose found; `prove` reads
 * the effect back and throws when it is not there. A marker file is written in `mark`, after the proof.
 */
export interface Step<S extends Stack = Stack> {
  /** The file's name, for `--only` and tests. */
  readonly name: string
  /** A few words for the progress line. */
  readonly title: string
  /** The parts without which it cannot be done; unless told, each of those that start before it. */
  readonly needs?: readonly PartName[]
  diagnose(stack: S): Promise<Finding>
  /** What it would do where nothing has been done yet, for a dry run that cannot look: nothing runs that could be asked. */
  planFromNothing?(stack: S): readonly string[]
  apply(stack: S, progress: StepProgress): Promise<void>
  prove(stack: S): Promise<void>
  mark?(stack: S): void
}

/** Declares a step. */
export function defineStep<S extends Stack = Stack>(step: Step<S>): Step<S> {
  return step
}

/** Something to do, when there is a plan. */
export function findingOf(plan: readonly string[]): Finding {
  return plan.length === 0 ? { done: true } : { done: false, plan }
}
