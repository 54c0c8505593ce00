import { type PartName, parts } from '@logstack/contracts'
import { isAppError } from '@logstack/errors'
import { PartFailures } from '../runtimes/part-failures.ts'
import type { Stack } from '../stack.ts'
import { type Finding, findingOf, type Step, type StepProgress } from './define-step.ts'

/** What a reporter may know of a step. */
export type NamedStep = Pick<Step, 'name' | 'title'>

/** How the progress of steps is shown. */
export interface StepReporter {
  begin(step: NamedStep, number: number, count: number): StepProgress
  /** `changed` is false when there was nothing to do. */
  end(step: NamedStep, outcome: { readonly changed: boolean; readonly elapsedMs: number }): void
  /** The step threw; the error is told by whoever catches it. */
  failed(step: NamedStep, outcome: { readonly elapsedMs: number }): void
  /** The step was left out, as this part that it needs did not start. */
  leftOut(step: NamedStep, lack: PartName): void
  plan(step: NamedStep, lines: readonly string[]): void
}

/**
 * Runs steps in order: diagnose, and where something is to do, apply, prove and mark. A part that does not start ends only the steps that need
 * it; it is told at the end with `part_failed`. With `dryRun` only diagnoses and tells the plan.
 */
export async function runSteps<S extends Stack>(
  steps: readonly Step<S>[],
  stack: S,
  options: { readonly reporter: StepReporter; readonly dryRun?: boolean },
): Promise<void> {
  const failures = new PartFailures()
  const lackOf = ({ needs = parts }: Step<S>): PartName | undefined => failures.lackOf(needs)
  for (const [index, step] of steps.entries()) {
    const place = { number: index + 1, count: steps.length }
    const lack = lackOf(step)
    if (lack) {
      options.reporter.begin(step, place.number, place.count)
      options.reporter.leftOut(step, lack)
      continue
    }
    try {
      await runStep(step, stack, { ...options, ...place })
    } catch (thrown) {
      failures.keep(thrown)
      if (steps.slice(index + 1).every(lackOf)) break
    }
  }
  failures.throwAny()
}

async function runStep<S extends Stack>(
  step: Step<S>,
  stack: S,
  options: {
    readonly reporter: StepReporter
    readonly dryRun?: boolean
    readonly number: number
    readonly count: number
  },
): Promise<void> {
  const { reporter } = options
  const startedAtMs = performance.now()
  const progress = reporter.begin(step, options.number, options.count)
  try {
    const finding = options.dryRun ? await foresee(step, stack) : await step.diagnose(stack)
    if (!finding.done && options.dryRun) {
      reporter.plan(step, finding.plan)
      return
    }
    if (!finding.done) await applyStep(step, stack, progress)
    reporter.end(step, { changed: !finding.done, elapsedMs: performance.now() - startedAtMs })
  } catch (thrown) {
    reporter.failed(step, { elapsedMs: performance.now() - startedAtMs })
    throw thrown
  }
}

async function foresee<S extends Stack>(step: Step<S>, stack: S): Promise<Finding> {
  try {
    return await step.diagnose(stack)
  } catch (thrown) {
    const isAbsent = isAppError(thrown) || (thrown as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isAbsent || !step.planFromNothing) throw thrown
    return findingOf(step.planFromNothing(stack))
  }
}

async function applyStep<S extends Stack>(step: Step<S>, stack: S, progress: StepProgress): Promise<void> {
  await step.apply(stack, progress)
  await step.prove(stack)
  step.mark?.(stack)
}
