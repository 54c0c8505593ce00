import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { host } from '../places/host.ts'
import { reapOrphans } from '../places/supervisor-state.ts'
import { startInOrder } from '../runtimes/start-order.ts'
import { isEmbedded, type Stack } from '../stack.ts'
import type { StepProgress } from '../steps/define-step.ts'
import { upSteps } from '../steps/index.ts'

const systemctlLimitMs = 60_000
/** What a part has been waiting for so long, search being ready, is left to the repair of another fault. */
const vainMs = 60_000

/** Starts what does not run, in order, and waits until it is ready; failed starts are forgotten, so that what is counted afterwards is new. */
export async function startAll(stack: Stack, progress: StepProgress): Promise<void> {
  if (isEmbedded(stack)) {
    await reapOrphans(stack.paths)
    for (const step of upSteps) {
      if ((await step.diagnose(stack)).done) continue
      await step.apply(stack, progress)
      await step.prove(stack)
      step.mark?.(stack)
    }
    return
  }
  await startInOrder(
    stack.runtime,
    parts,
    (waiting) => progress.waiting(waiting.map(({ part, statusText }) => `${part} ${statusText}`).join(', ')),
    { vainMs },
  )
  await runCommand(['systemctl', 'start', host.stackUnit], { timeoutMs: systemctlLimitMs })
}

/** The commands that do so. */
export function startAllCommands(stack: Stack): string[] {
  if (isEmbedded(stack)) return ['./logstack up --detach']
  const units = parts.map((part) => `${containerName(part)}.service`)
  return [`systemctl reset-failed ${units.join(' ')}`, `systemctl start ${host.stackUnit}`]
}
