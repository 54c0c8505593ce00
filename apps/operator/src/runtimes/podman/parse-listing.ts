import { containerName, parts } from '@logstack/contracts'
import type { Health, PartStatus } from '../runtime.ts'

const healthWords: readonly Health[] = ['starting', 'healthy', 'unhealthy']

/** The five parts from the output of `listArgv`; a container that is not listed is absent, one that is no part is ignored. */
export function parseListing(output: string): PartStatus[] {
  const texts = new Map(
    output
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1).trim()]),
  )
  return parts.map((part) => {
    const name = containerName(part)
    const statusText = texts.get(name) ?? ''
    const bracket = /\(([a-z]+)\)$/.exec(statusText)?.[1]
    const health = healthWords.find((word) => word === bracket)
    const isUp = statusText.startsWith('Up')
    const state = isUp ? 'running' : statusText === '' ? 'absent' : 'exited'
    return { part, name, state, statusText, health, ready: isUp && (health === undefined || health === 'healthy') }
  })
}
