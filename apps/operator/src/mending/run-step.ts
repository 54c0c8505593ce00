import type { Stack } from '../stack.ts'
import type { Step, StepProgress } from '../steps/define-step.ts'

/** Does what is missing of a step of the installation: the same work mends what was installed. */
export async function runStep(step: Step, stack: Stack, progress: StepProgress): Promise<void> {
  if ((await step.diagnose(stack)).done) return
  await step.apply(stack, progress)
  await step.prove(stack)
  step.mark?.(stack)
}
