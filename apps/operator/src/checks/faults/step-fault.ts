import { defineFault, type Fault } from '../../doctor/define-fault.ts'
import type { Runtime } from '../../runtimes/runtime.ts'
import type { Stack } from '../../stack.ts'
import type { Step, StepProgress } from '../../steps/define-step.ts'

/** A fault that a step of the installation mends: what the step would do is what is wrong. */
export interface StepFault {
  readonly name: string
  readonly title: string
  readonly runtimes?: readonly Runtime['kind'][]
  readonly explainedBy?: readonly string[]
  readonly step: Pick<Step, 'diagnose' | 'apply' | 'prove'>
  /** What is right when there is nothing to do. */
  readonly healthy: string
  /** The problem in a sentence, from what the step would do. */
  problem(plan: readonly string[]): string
  readonly meaning: string
  /** What must be done after the step: parts that read what it wrote start anew. */
  readonly afterwards?: {
    commands(stack: Stack): readonly string[]
    run(stack: Stack, progress: StepProgress): Promise<void>
  }
}

/** Declares a fault by the step that mends it. */
export function defineStepFault(fault: StepFault): Fault {
  const { step, healthy, problem, meaning, afterwards, ...named } = fault
  return defineFault<readonly string[]>({
    ...named,
    async diagnose({ stack }) {
      const finding = await step.diagnose(stack)
      if (finding.done) return { status: 'healthy', detail: healthy }
      const { plan } = finding
      return {
        status: 'fault',
        problem: problem(plan),
        evidence: plan.map((line) => `to be done: ${line}`),
        meaning,
        found: plan,
      }
    },
    plan: ({ stack }, plan) => [...plan, ...(afterwards?.commands(stack) ?? [])],
    async repair({ stack }, _plan, progress) {
      await step.apply(stack, progress)
      await step.prove(stack)
      await afterwards?.run(stack, progress)
    },
  })
}
