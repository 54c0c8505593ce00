import { BlockList, isIP, isIPv6 } from 'node:net'
import { type WazuhAgent, wazuhAgentSchema, wazuhAgentsIndex } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { readHits, type SearchClient } from '@logstack/search-client'
import { cipherKey } from './cipher.ts'

const readEveryMs = 15_000
const retryMs = 2_000
/** Ids that were imported may be longer; those that are given count on below them. */
const numberMax = 9_999_999
/** A stranger's id must not have search asked again and again. */
const askedAgainMs = 2_000

/** An agent that may send: its entry, and what its messages are opened with. */
export interface KnownAgent {
  readonly id: string
  readonly entry: WazuhAgent
  readonly cipher: Buffer
  /** The network that it must come from, if not any. */
  readonly network: BlockList | undefined
}

/**
 * The Wazuh agents that may send, as `.logstack-wazuh-agents` has them: read at the start and again every fifteen seconds, so that one that is removed
 * there is refused soon. While search does not answer, those that were read last are known.
 */
export class KnownAgents {
  readonly #search: SearchClient
  readonly #logger: Logger
  #agents = new Map<string, KnownAgent>()
  /** Those that come from one address only, by it: they do not say their id. */
  #byAddress = new Map<string, KnownAgent>()
  #lastNumber = 0
  #reading: Promise<void> | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #readTimer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor({ search, logger }: { readonly search: SearchClient; readonly logger: Logger }) {
    this.#search = search
    this.#logger = logger
    this.#readLater(0)
  }

  /** The agent of an id that may come from this address; undefined for strangers. */
  async byId(id: string, address: string): Promise<KnownAgent | undefined> {
    if (!this.#agents.has(id)) await this.#readAgain()
    const agent = this.#agents.get(id)
    return agent && mayComeFrom(agent, address) ? agent : undefined
  }

  /** The agent whose only address this is. */
  async byAddress(address: string): Promise<KnownAgent | undefined> {
    if (!this.#byAddress.has(address)) await this.#readAgain()
    return this.#byAddress.get(address)
  }

  /** Whether it may send still, with the key that it was known by and from the same addresses. */
  isCurrent({ id, entry }: KnownAgent): boolean {
    const now = this.#agents.get(id)?.entry
    return now?.key === entry.key && now.ip === entry.ip
  }

  /** The agent of this name. */
  named(name: string): KnownAgent | undefined {
    return [...this.#agents.values()].find(({ entry }) => entry.name === name)
  }

  /** The highest id that there was since the start, as a number; 0 where there was none. That of a removed agent is not to become another's. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Reads all anew, after what was written to the index. */
  async readNow(): Promise<void> {
    await this.#reading
    await this.#read()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#readTimer)
    await this.#reading
  }

  #readLater(ms: number): void {
    clearTimeout(this.#readTimer)
    if (this.#isStopped) return
    this.#readTimer = setTimeout(async () => {
      await this.#read()
      this.#readLater(this.#readAt === Number.NEGATIVE_INFINITY ? retryMs : readEveryMs)
    }, ms)
  }

  async #readAgain(): Promise<void> {
    if (this.#reading || performance.now() - this.#triedAt >= askedAgainMs) await this.#read()
  }

  #read(): Promise<void> {
    if (!this.#reading) this.#triedAt = performance.now()
    this.#reading ??= this.#readAll()
      .catch((thrown: unknown) => this.#logger.warn(`Wazuh agents are not read: ${messageOf(thrown)}`))
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  async #readAll(): Promise<void> {
    const agents = new Map<string, KnownAgent>()
    const byAddress = new Map<string, KnownAgent>()
    // One that changes meanwhile goes to the end: it is read twice, and none is missed.
    const body = { sort: [{ _seq_no: 'asc' }] }
    for await (const { _id: id, _source } of readHits(this.#search, wazuhAgentsIndex.name, body)) {
      const parsed = wazuhAgentSchema.safeParse(_source)
      if (!parsed.success) {
        this.#logger.error({ id }, `the entry of a Wazuh agent is no such entry: ${parsed.error.issues[0]?.message}`)
        continue
      }
      const entry = parsed.data
      const before = this.#agents.get(id)
      const cipher = before?.entry.key === entry.key ? before.cipher : cipherKey(entry.key)
      const agent = { id, entry, cipher, network: networkOf(entry.ip) }
      agents.set(id, agent)
      if (Number(id) <= numberMax) this.#lastNumber = Math.max(this.#lastNumber, Number(id))
      if (isIP(entry.ip) !== 0) byAddress.set(entry.ip, agent)
    }
    this.#agents = agents
    this.#byAddress = byAddress
    this.#readAt = performance.now()
  }
}

/** Whether an agent may come from an address, of IPv4 also as IPv6 has it (`::ffff:192.0.2.1`). */
export function mayComeFrom({ network }: KnownAgent, sender: string): boolean {
  const address = sender.replace(/^::ffff:/, '')
  return network?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') !== false
}

function networkOf(ip: string): BlockList | undefined {
  if (ip === 'any') return undefined
  const [address = '', prefix] = ip.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const network = new BlockList()
  network.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  return network
}
