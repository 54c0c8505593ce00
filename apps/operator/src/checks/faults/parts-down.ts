import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { defineFault } from '../../doctor/define-fault.ts'
import { editWords, type PartTrouble, partTroubles } from '../../doctor/part-troubles.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

const podmanLimitMs = 30_000

/** Parts are not up: their units are stopped or failed, or their containers paused, gone or unhealthy. */
export const partsDown = defineFault<readonly PartTrouble[]>({
  name: 'parts-down',
  title: 'five parts up',
  explainedBy: [...keepPartsFromRunning, 'restart-loop'],
  async diagnose(context) {
    const troubles = await partTroubles(context)
    if (!troubles) return { status: 'unknown', why: 'the runtime does not tell what runs' }
    const down = troubles.filter(({ kind }) => kind === 'down')
    if (down.length === 0) {
      const listing = await context.look.listing()
      // A unit is active too while its container is paused.
      return listing.state === 'answered'
        ? { status: 'healthy', detail: `${parts.length - troubles.length} up` }
        : { status: 'unknown', why: `only podman tells whether containers are paused: ${listing.message}` }
    }
    const isAll = down.length === parts.length
    return {
      status: 'fault',
      problem: isAll
        ? 'the stack is not running'
        : down.map(({ part, words }) => `${containerName(part)} ${words}`).join('; '),
      evidence: [...down.map(({ part, words }) => `${containerName(part)} ${words}`), ...editWords(down)],
      meaning: isAll
        ? 'nothing is stored, searched or alerted'
        : `${down.map(({ part }) => part).join(', ')} does no work; events wait at their agents`,
      found: down,
    }
  },
  plan({ stack }, down) {
    if (stack.runtime.kind === 'process') return startAllCommands(stack)
    return [
      ...needing(down, 'unpause').map(({ part }) => `podman unpause ${containerName(part)}`),
      ...needing(down, 'restart').map(({ part }) => `systemctl restart ${containerName(part)}.service`),
      ...startAllCommands(stack),
    ]
  },
  async repair({ stack }, down, progress) {
    for (const { part } of needing(down, 'unpause')) {
      await runCommand(['podman', 'unpause', containerName(part)], { timeoutMs: podmanLimitMs, accept: [125] })
    }
    for (const { part } of needing(down, 'restart')) await stack.runtime.restart(part)
    await startAll(stack, progress)
  },
})

function needing(down: readonly PartTrouble[], what: PartTrouble['needs']): PartTrouble[] {
  return down.filter(({ needs }) => needs === what)
}
