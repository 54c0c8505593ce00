import { runCommand } from '@logstack/process'
import type { DebianHost } from './debian-host.ts'

const limitMs = 30_000

/** A cable between two hosts that have networks of their own; both ends are called `eth0`. */
export interface Cable {
  /** The address of the first host on it, and of the second. */
  readonly addresses: readonly [string, string]
  /** Unplugs it, or plugs it in again. */
  plug(isIn: boolean): Promise<void>
}

/** Joins two hosts by a cable, with addresses of a network that is kept for documentation. */
export async function joinHosts(first: DebianHost, second: DebianHost): Promise<Cable> {
  const ends = [
    { host: first, name: `ls${first.leader()}`, address: '198.51.100.1' },
    { host: second, name: `ls${second.leader()}`, address: '198.51.100.2' },
  ] as const
  await ip('link', 'add', ends[0].name, 'type', 'veth', 'peer', 'name', ends[1].name)
  for (const { host, name, address } of ends) {
    await ip('link', 'set', name, 'netns', String(host.leader()))
    await host.exec(['ip', 'link', 'set', name, 'name', 'eth0'])
    await host.exec(['ip', 'address', 'add', `${address}/24`, 'dev', 'eth0'])
    await host.exec(['ip', 'link', 'set', 'eth0', 'up'])
  }
  return {
    addresses: [ends[0].address, ends[1].address],
    async plug(isIn) {
      await second.exec(['ip', 'link', 'set', 'eth0', isIn ? 'up' : 'down'])
    },
  }
}

async function ip(...argv: string[]): Promise<void> {
  await runCommand(['ip', ...argv], { timeoutMs: limitMs })
}
