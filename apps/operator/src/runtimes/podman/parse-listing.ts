import { containerName, parts } from '@logstack/contracts'
import type { Health, PartStatus } from '../runtime.ts'

const healthWords: readonly Health[] = ['starting', 'healthy', 'unhealthy']

/** The five parts from the output of `listArgv`; a container that is not listed is absent, one that is no part is ignored. */
export function parseListing(output: string): PartStatus[] {
  const rows = new Map(
    output
      .split('\n')
      .map((line) => line.split('\t'))
      .filter((columns) => columns.length === 3)
      .map(([name = '', state = '', statusText = '']) => [name, { state, statusText: statusText.trim() }]),
  )
  return parts.map((part) => {
    const name = containerName(part)
    const row = rows.get(name)
    const statusText = row?.statusText ?? ''
    const bracket = /\(([a-z]+)\)$/.exec(statusText)?.[1]
    const health = healthWords.find((word) => word === bracket)
    const state = row === undefined ? 'absent' : stateOf(row.state)
    const ready = state === 'running' && (health === undefined || health === 'healthy')
    return { part, name, state, statusText, health, ready }
  })
}

// podman's other words (created, configured, stopped, stopping, dead) are all of a container that does not run.
function stateOf(word: string): PartStatus['state'] {
  return word === 'running' || word === 'paused' ? word : 'exited'
}
