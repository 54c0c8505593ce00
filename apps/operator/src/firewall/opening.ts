import { containerName } from '@logstack/contracts'
import { isAppError } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { host } from '../places/host.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import { isEmbedded, type Stack } from '../stack.ts'
import type { Look, Opening } from './firewall.ts'

const lookLimitMs = 30_000

/** What of this stack others must reach: every published port, and the bridge of its containers where there is one. */
export async function openingOf(stack: Stack): Promise<Opening> {
  const ports = [...loadDefinitions(stack.paths)].flatMap(([part, definition]) =>
    definition.ports.map(({ hostPort, protocol }) => ({
      port: stack.ports.of(hostPort),
      protocol,
      container: containerName(part),
    })),
  )
  if (isEmbedded(stack)) return { ports, bridge: undefined }
  const bridge = await look(['podman', 'network', 'inspect', '--format', '{{.NetworkInterface}}', host.network])
  return { ports, bridge: bridge?.trim() }
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
