import { containerName, type PartName } from '@logstack/contracts'
import type { PartStatus } from '../runtimes/runtime.ts'
import { listPatiently, startInOrder } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import { startUnitArgv } from '../systemd/argv.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf, type Step } from './define-step.ts'

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
    needs: parts,
    async diagnose(stack) {
      const waiting = await notReady(stack, parts)
      return findingOf(waiting.map(({ name, part }) => startPlan(stack, name, part)))
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

function startPlan(stack: Stack, name: string, part: PartName): string {
  return stack.runtime.kind === 'podman'
    ? `${startUnitArgv(part).join(' ')}, and wait until it is ready`
    : `start ${name}`
}

async function notReady(stack: Stack, parts: readonly PartName[]): Promise<PartStatus[]> {
  return (await listPatiently(stack.runtime)).filter((status) => parts.includes(status.part) && !status.ready)
}
