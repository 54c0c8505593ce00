import { lookup } from 'node:dns/promises'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { z } from 'zod'
import type { DataPaths } from '../data-directory.ts'
import { readJsonFile, writeDurably } from '../durable-file.ts'
import type { UnitStates } from '../unit-states.ts'
import { nft } from './nft.ts'
import { isolationRuleset, isolationTable, type Reachable } from './ruleset.ts'

const component = 'isolation'
// systemd-resolved's own address is loopback: whom it asks stands in the second.
const resolverFiles = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']
const fileSchema = z.object({ version: z.literal(1), allow: z.array(z.string()), since: z.string() })

/** Cuts this host off from everybody but the stack's servers and those named, and joins it again. Kept on disk: the kernel forgets with a reboot. */
export class HostIsolation {
  readonly #file: string
  readonly #servers: () => readonly string[]
  readonly #states: UnitStates | undefined

  /** `servers` are the URLs of agent-server and endpoint-manager. */
  constructor(paths: DataPaths, servers: () => readonly string[], states?: UnitStates) {
    this.#file = join(paths.folder, 'isolation.json')
    this.#servers = servers
    this.#states = states
  }

  /** Throws `action_not_allowed` where the packet filter cannot be changed; then the host is as it was. */
  async cutOff(allow: readonly string[]): Promise<void> {
    if (process.platform !== 'linux') {
      throw new AppError(agentsErrors.action_not_allowed, `hosts with ${process.platform} cannot be isolated`)
    }
    const before = this.#read()
    await nft(await this.#ruleset(allow))
    writeDurably(this.#file, JSON.stringify({ version: 1, allow, since: before?.since ?? new Date().toISOString() }))
    this.#show()
  }

  /** Takes the rules away; false on a host that is not cut off. */
  async join(): Promise<boolean> {
    if (!existsSync(this.#file)) return false
    await nft(`table ${isolationTable}\ndelete table ${isolationTable}\n`)
    rmSync(this.#file, { force: true })
    this.#show()
    return true
  }

  /** Sets the rules again on a host that is to be cut off: after a reboot, or with other addresses of its servers. */
  async restore(logger: Logger): Promise<void> {
    const kept = this.#read()
    if (!kept) return
    try {
      await nft(await this.#ruleset(kept.allow))
      this.#show()
    } catch (thrown) {
      logger.error(`this host is to be cut off but is not: ${messageOf(thrown)}`)
      this.#states?.report(component, { component, type: 'output', status: 'FAILED', message: messageOf(thrown) })
    }
  }

  #read() {
    return readJsonFile(this.#file, fileSchema)
  }

  #show(): void {
    const kept = this.#read()
    const message = kept
      ? `cut off since ${kept.since}, but for ${['the stack', ...kept.allow].join(', ')}`
      : 'not cut off'
    this.#states?.report(component, { component, type: 'output', status: 'HEALTHY', message })
  }

  async #ruleset(allow: readonly string[]): Promise<string> {
    const urls = this.#servers().map((server) => new URL(server))
    const servers = (await Promise.all(urls.map(addressesOf))).flat()
    const isNamed = urls.some((url) => isIP(hostOf(url)) === 0)
    return isolationRuleset({ servers, allow, resolvers: isNamed ? resolvers() : [] })
  }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

async function addressesOf(url: URL): Promise<Reachable[]> {
  const host = hostOf(url)
  const port = Number(url.port || 443)
  if (isIP(host) !== 0) return [{ address: host, port }]
  return (await lookup(host, { all: true })).map(({ address }) => ({ address, port }))
}

function resolvers(): string[] {
  const lines = resolverFiles
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const addresses = lines.map((line) => /^nameserver\s+([\da-fA-F.:]+)/.exec(line)?.[1] ?? '')
  return [...new Set(addresses.filter((address) => isIP(address) !== 0))]
}
