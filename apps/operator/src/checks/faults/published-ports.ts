import { readFileSync } from 'node:fs'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { type HttpAnswer, probeHttps } from '../../doctor/probe-https.ts'
import { host } from '../../places/host.ts'
import { podmanLimits } from '../../steps/host/podman-limits.ts'

/** A part that answers at its container's address, and not where the host publishes its port. */
interface Cut {
  readonly part: PartName
  readonly port: number
  readonly container: string
  readonly said: string
}

interface Unseen {
  readonly unseen: string
}

/** Parts that answer HTTPS, with the port in the container and on the host. */
const asked: readonly { readonly part: PartName; readonly port: number }[] = [
  { part: 'search', port: 9200 },
  { part: 'dashboard', port: 5601 },
  { part: 'agent-server', port: 8220 },
]
const probeLimitMs = 3_000
// Of all parts: ports that were not asked (syslog, agents' events) went the same way.
const reloadArgv = ['podman', 'network', 'reload', ...parts.map(containerName)]
const addressesFile = `/run/containers/networks/aardvark-dns/${host.network}`

/**
 * podman's rules that lead a port of the host into a container are gone: whoever loads a rule set of nftables anew (`flush ruleset` is the first line of
 * Debian's) takes them away. The containers run, and find each other; nobody else reaches them.
 */
export const publishedPorts = defineFault<readonly Cut[]>({
  name: 'published-ports',
  title: 'published ports',
  runtimes: ['podman'],
  limitMs: 9_000,
  explainedBy: ['container-runtime', 'container-runtime-lock', 'network'],
  async diagnose(context) {
    const addresses = containerAddresses(textOf(addressesFile))
    const looked = await Promise.all(asked.map((one) => lookAt(context, one, addresses)))
    const cut = looked.filter((one) => one !== 'open' && 'said' in one)
    if (cut.length === 0) {
      const open = looked.filter((one) => one === 'open').length
      const [unseen] = looked.filter((one) => one !== 'open' && 'unseen' in one)
      return open === 0 && unseen
        ? { status: 'unknown', why: `no part answers at its container: ${unseen.unseen}` }
        : { status: 'healthy', detail: `${open} of ${asked.length} answer there` }
    }
    return {
      status: 'fault',
      problem: `the host does not lead port ${cut.map(({ port }) => port).join(', ')} to its part any more`,
      evidence: cut.map(
        ({ part, port, container, said }) => `${part} answers at ${container}, and at 127.0.0.1:${port}: ${said}`,
      ),
      meaning:
        'no agent, browser or command reaches these parts, though they run: rules of nftables were loaded anew, and those of podman went',
      found: cut,
    }
  },
  plan: () => [reloadArgv.join(' ')],
  async repair() {
    await runCommand(reloadArgv, { timeoutMs: podmanLimits.changeMs })
  },
})

/** `open` where the port leads to the part; why nothing can be said where the part itself does not answer. */
async function lookAt(
  { look, stack }: DoctorContext,
  { part, port: inner }: (typeof asked)[number],
  addresses: ReadonlyMap<string, string>,
): Promise<Cut | 'open' | Unseen> {
  const probe = (at: string): Promise<HttpAnswer> =>
    look.once(`port ${at}`, () => probeHttps(`https://${at}/`, { limitMs: look.limitMs(probeLimitMs) }))
  const address = addresses.get(containerName(part))
  const port = stack.ports.of(inner)
  const [inside, outside] = await Promise.all([
    address === undefined ? undefined : probe(`${address}:${inner}`),
    probe(`127.0.0.1:${port}`),
  ])
  if (outside.state === 'answered') return 'open'
  if (inside?.state !== 'answered') return { unseen: inside?.message ?? 'its container has no address' }
  return { part, port, container: `${address}:${inner}`, said: outside.message }
}

/** The addresses of containers by their names, from the file that tells podman's name server of a network (see `namesIn`). */
export function containerAddresses(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n').slice(1)) {
    const [, address = '', , names = ''] = line.split(' ')
    const [name] = names.split(',')
    if (name && address) found.set(name, address.split(',')[0] ?? address)
  }
  return found
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw thrown
  }
}
