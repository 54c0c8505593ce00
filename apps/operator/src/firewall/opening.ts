import { containerName } from '@logstack/contracts'
import { isAppError } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { host } from '../places/host.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import { isEmbedded, type Stack } from '../stack.ts'
import type { Look, Opening } from './firewall.ts'

const lookLimitMs = 30_000

/** What of this stack others must reach: every published port, and the bridge of its containers where there is one. */
export async function openingOf(stack: Stack, ask: Look = look): Promise<Opening> {
  const ports = [...loadDefinitions(stack.paths)].flatMap(([part, definition]) =>
    definition.ports.map(({ hostPort, protocol }) => ({
      port: stack.ports.of(hostPort),
      protocol,
      container: containerName(part),
    })),
  )
  if (isEmbedded(stack)) return { ports, bridge: undefined }
  const bridge = await ask(['podman', 'network', 'inspect', '--format', '{{.NetworkInterface}}', host.network])
  return { ports, bridge: bridge?.trim() }
}

/**
 * What the stack itself needs, whoever may reach it from outside: its containers ask the host for names and reach each other. Nothing where
 * there are no containers.
 */
export async function innerOpeningOf(stack: Stack, ask: Look = look): Promise<Opening> {
  return { ...(await openingOf(stack, ask)), ports: [] }
}

/** A command's standard output; undefined when it is not installed or failed. */
export const look: Look = async (argv) => {
  try {
    return (await runCommand(argv, { timeoutMs: lookLimitMs })).stdout
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}
