import { fileURLToPath } from 'node:url'
import { tempDir } from '@logstack/testkit'
import { type EmbeddedStack, openStack, type Stack, type StackChoices } from '../stack.ts'
import type { Step } from '../steps/define-step.ts'

const checkout = fileURLToPath(new URL('../../../..', import.meta.url))

/** A stack on an empty temporary data directory, with the definitions of this checkout; nothing of it runs. */
export function testStack(given: Partial<StackChoices> = {}): {
  stack: EmbeddedStack
  reopen(given?: Partial<StackChoices>): EmbeddedStack
  remove(): void
} {
  const temporary = tempDir('logstack operator')
  const open = (choices: Partial<StackChoices>): EmbeddedStack =>
    openStack({ dataDir: temporary.path, programDir: checkout, given: choices })
  return { stack: open(given), reopen: (choices = {}) => open(choices), remove: () => temporary.remove() }
}

/** Runs a step as the commands do; whether it had anything to do. */
export async function runStep<S extends Stack>(step: Step<S>, stack: S): Promise<boolean> {
  const finding = await step.diagnose(stack)
  if (finding.done) return false
  await step.apply(stack, { waiting: () => undefined })
  await step.prove(stack)
  step.mark?.(stack)
  return true
}
