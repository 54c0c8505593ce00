import { type PartName, startOrder } from '@logstack/contracts'
import { waitReady } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import type { StepProgress } from '../steps/define-step.ts'

/** Restarts parts in the order of their start, each group when the one before is ready. */
export async function restartParts(stack: Stack, parts: readonly PartName[], progress: StepProgress): Promise<void> {
  for (const group of startOrder) {
    const wanted = group.filter((part) => parts.includes(part))
    if (wanted.length === 0) continue
    for (const part of wanted) await stack.runtime.restart(part)
    await waitReady(stack.runtime, wanted, (waiting) =>
      progress.waiting(waiting.map(({ part, statusText }) => `${part} ${statusText}`).join(', ')),
    )
  }
}

/** The command that restarts each of the parts, in the same order. */
export function restartCommands(parts: readonly PartName[]): string[] {
  return startOrder.flat().flatMap((part) => (parts.includes(part) ? [`./logstack restart ${part}`] : []))
}
