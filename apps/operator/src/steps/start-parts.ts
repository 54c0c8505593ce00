import { containerName, type PartName } from '@logstack/contracts'
import type { PartStatus } from '../runtimes/runtime.ts'
import { listPatiently, startInOrder } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import { defineStep, findingOf, type Step } from './define-step.ts'
import { unproven } from './unproven.ts'

/** Search first: everything else needs it. */
export const startSearch = startStep('start-search', ['search'])
/** These three need search and not each other. */
export const startMiddle = startStep('start-middle', ['endpoint-manager', 'dashboard', 'alerter'])
/** Last, after the dashboard. */
export const startAgentServer = startStep('start-agent-server', ['agent-server'])

function startStep(name: string, parts: readonly PartName[]): Step {
  return defineStep({
    name,
    title: parts.join(', '),
    async diagnose(stack) {
      return findingOf((await notReady(stack, parts)).map((status) => `start ${status.name}`))
    },
    apply: (stack, progress) =>
      startInOrder(stack.runtime, parts, (waitingFor) =>
        progress.waiting(waitingFor.map((status) => `${status.part} ${status.statusText}`).join(', ')),
      ),
    async prove(stack) {
      const [left] = await notReady(stack, parts)
      if (left) throw unproven(`${containerName(left.part)} is not ready`, `./logstack logs ${left.part}`)
    },
  })
}

async function notReady(stack: Stack, parts: readonly PartName[]): Promise<PartStatus[]> {
  return (await listPatiently(stack.runtime)).filter((status) => parts.includes(status.part) && !status.ready)
}
