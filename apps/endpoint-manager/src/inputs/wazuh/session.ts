import type { Socket } from 'node:net'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { EventQueue } from '../event-queue.ts'
import { type DescribedEvent, describedSource } from '../event-run.ts'
import type { Unfinished } from '../unfinished.ts'
import { openMessage, type SentCounters, sealMessage } from './cipher.ts'
import type { ConnectedAgents } from './connected-agents.ts'
import { systemFields } from './events/host-system.ts'
import { FrameReader, frame } from './frames.ts'
import type { HeardAgents } from './heard-agents.ts'
import { InventorySync, type SyncMemory } from './inventory-sync.ts'
import { readKeepAlive } from './keep-alive.ts'
import type { KnownAgent, KnownAgents } from './known-agents.ts'
import { type SharedFiles, sharedSum } from './shared-files.ts'
import type { StaleInventory } from './stale-inventory.ts'
import { type WazuhHost, wazuhEvent } from './wazuh-event.ts'

/** A connection that has not proved which agent it is after so long is ended. */
const strangerMsMax = 30_000
/** Of answers that the other end does not read. */
const unreadBytesMax = 2 * 1024 * 1024
/** Of events that are handed on together: what came packed in one go may be a thousand times as much. */
const togetherBytesMax = 256 * 1024
/** How soon shared files are handed over again to an agent that says that it has others still. */
const handedAgainMs = 300_000
/** Agents give a connection up after a minute in which they hear nothing, and what they have sent on it may be lost. */
const silentMsMax = 15_000
const lookEveryMs = 5_000
const heardMsMax = 60_000
const controlMark = '#!-'
const pong = frame(Buffer.from('#pong'))
const acknowledgement = `${controlMark}agent ack `

/** What connections of agents share. */
export interface SessionServices {
  readonly agents: KnownAgents
  readonly heard: HeardAgents
  readonly queue: EventQueue
  readonly logger: Logger
  readonly timezone: () => string
  /** The files that agents are to have; undefined where nobody has written any. */
  readonly sharedFiles: () => SharedFiles | undefined
  readonly stale: StaleInventory
  /** What is known of the tables of agents that have come since the part started, by the agent's id. */
  readonly memories: Map<string, SyncMemory>
  readonly now: () => number
  readonly connected: ConnectedAgents<Session>
  /** Told of a connection once it has proved which agent it is. */
  readonly proved: (socket: Socket) => void
}

/** One connection of a Wazuh agent: opens its messages, answers those about the connection, and hands on events. */
export class Session {
  readonly #socket: Socket
  readonly #address: string
  readonly #services: SessionServices
  readonly #frames = new FrameReader()
  readonly #counters: SentCounters = { global: 0, local: 0 }
  #agent: KnownAgent | undefined
  #version: string | undefined
  #os: string | undefined
  #host: WazuhHost | undefined
  #hostOs: string | undefined
  #sync: InventorySync | undefined
  #handedOver = Number.NEGATIVE_INFINITY
  #heardAt = Number.NEGATIVE_INFINITY
  #isAtWork = false
  #lastWord = 0

  constructor(socket: Socket, sender: string, services: SessionServices) {
    this.#socket = socket
    this.#address = sender.startsWith('::ffff:') ? sender.slice('::ffff:'.length) : sender
    this.#services = services
  }

  /** Reads until the connection ends. Throws for whatever no agent sends that is known here. */
  async read(unfinished: Unfinished): Promise<void> {
    const stranger = setTimeout(() => this.#socket.destroy(), strangerMsMax)
    const looks = setInterval(() => this.#speakUp(), lookEveryMs)
    const gone = new AbortController()
    this.#socket.once('close', () => gone.abort())
    try {
      // The agent waits meanwhile, and keeps what its buffer holds. What is read already is kept here, even when its connection is long gone.
      await this.#services.queue.room(gone.signal)
      for await (const bytes of this.#socket) {
        this.#isAtWork = true
        this.#heardAt = performance.now()
        await this.#takeAll(this.#frames.push(bytes as Buffer))
        if (this.#agent) clearTimeout(stranger)
        unfinished.keep(this.#frames.pendingBytes)
        await this.#services.queue.room(gone.signal)
        this.#isAtWork = false
      }
    } finally {
      clearTimeout(stranger)
      clearInterval(looks)
      unfinished.keep(0)
      this.#leave()
    }
  }

  /** Asks the agent to come again: it sends what it has begun, and then ends this connection itself, so that nothing on its way is lost. */
  askToLeave(): void {
    // One that reads nothing would not hear of it.
    if (this.#socket.writableLength > unreadBytesMax) this.#socket.destroy()
    else if (this.#agent) this.#send(`${controlMark}force_reconnect`, this.#agent)
  }

  /** Whether the agent is there for sure: it speaks every ten seconds, and a connection to a host without power looks open for long. */
  get isHeard(): boolean {
    return !this.isIdle || performance.now() - this.#heardAt < heardMsMax
  }

  /** Whether all that came was read, and is in the queue. */
  get isIdle(): boolean {
    return !this.#isAtWork && this.#socket.readableLength === 0
  }

  /** Says a word to an agent that has to wait, as its own questions wait too. */
  #speakUp(): void {
    if (!this.#agent || this.isIdle || performance.now() - this.#lastWord < silentMsMax) return
    try {
      this.#send(acknowledgement, this.#agent)
    } catch (thrown) {
      this.#socket.destroy(thrown as Error)
    }
  }

  async #takeAll(payloads: readonly Buffer[]): Promise<void> {
    const { queue } = this.#services
    let events: DescribedEvent[] = []
    let bytes = 0
    for (const payload of payloads) {
      const event = await this.#take(payload)
      if (!event) continue
      events.push(event)
      bytes += event.bytes
      if (bytes < togetherBytesMax) continue
      await queue.add(events, describedSource)
      events = []
      bytes = 0
    }
    await queue.add(events, describedSource)
  }

  async #take(payload: Buffer): Promise<DescribedEvent | undefined> {
    if (payload.toString('latin1', 0, 5) === '#ping') {
      if (this.#agent && !this.#services.agents.isCurrent(this.#agent)) throw new Error('its agent was removed')
      this.#write(pong)
      return undefined
    }
    const { id, sealed } = addressed(payload)
    const agent = await this.#agentOf(id)
    const message = opened(sealed, agent).toString('utf8')
    this.#prove(agent)
    if (message.startsWith(controlMark)) {
      this.#control(message.slice(controlMark.length), agent)
      return undefined
    }
    this.#synchronize(message, agent)
    return this.#eventOf(message, agent)
  }

  /** Answers an agent that asks whether what it has told of its host is known. */
  #synchronize(message: string, agent: KnownAgent): void {
    const { memories, stale, now } = this.#services
    if (!this.#sync) {
      const memory = memories.get(agent.id) ?? new Map(Object.entries(agent.entry.sync ?? {}))
      memories.set(agent.id, memory)
      this.#sync = new InventorySync(memory, (complete) => stale.forget(`wazuh-${agent.id}`, complete))
    }
    const answer = this.#sync.answer(message, now())
    if (answer !== undefined) this.#send(`${controlMark}${answer}`, agent)
  }

  /** The agent that a message says it is from, by its id or the address that only this one has. */
  async #agentOf(id: string | undefined): Promise<KnownAgent> {
    const { agents } = this.#services
    if (this.#agent && (id === undefined || id === this.#agent.id) && agents.isCurrent(this.#agent)) return this.#agent
    const agent = id === undefined ? await agents.byAddress(this.#address) : await agents.byId(id, this.#address)
    if (!agent)
      throw new Error(
        id === undefined ? 'no Wazuh agent has this address' : `there is no Wazuh agent ${id}, or not at this address`,
      )
    return agent
  }

  /** Called once a message was opened with the agent's key. */
  #prove(agent: KnownAgent): void {
    if (this.#agent === agent) return
    // What is known of a connection is known of one agent.
    if (this.#agent && this.#agent.id !== agent.id) throw new Error(`agent ${agent.id} sends as ${this.#agent.id}, too`)
    this.#agent = agent
    const { connected, logger, proved } = this.#services
    proved(this.#socket)
    const about = { agent: agent.id, name: agent.entry.name, sender: this.#address }
    if (connected.has(agent.id)) logger.warn(about, 'a Wazuh agent has come that has a connection already')
    else logger.info(about, 'a Wazuh agent has come')
    connected.add(agent.id, this)
    this.#hear({ connected: true }, true)
  }

  #control(text: string, agent: KnownAgent): void {
    if (text.startsWith('agent shutdown')) {
      this.#hear({ connected: false }, true)
      return
    }
    // Answers to questions that only its own server asks.
    if (text.startsWith('req ')) return
    const before = this.#os
    if (text.startsWith('agent startup ')) {
      this.#version = /"version":"v?([\d.]{1,20})"/.exec(text)?.[1]
    } else {
      const { version, os } = readKeepAlive(text)
      this.#version = version ?? this.#version
      this.#os = os ?? this.#os
    }
    this.#hear({ connected: true }, this.#os !== before)
    this.#send(acknowledgement, agent)
    this.#handOver(sharedSum(text), agent)
  }

  /** Sends the shared files to an agent that says that it has others. */
  #handOver(sum: string | undefined, agent: KnownAgent): void {
    const shared = this.#services.sharedFiles()
    if (!shared || sum === undefined || sum === shared.md5) return
    if (performance.now() - this.#handedOver < handedAgainMs) return
    this.#handedOver = performance.now()
    for (const message of shared.messages) this.#send(message, agent)
    this.#services.logger.info({ agent: agent.id, md5: shared.md5 }, 'a Wazuh agent was handed the shared files')
  }

  #send(message: string | Buffer, agent: KnownAgent): void {
    this.#lastWord = performance.now()
    this.#write(frame(sealMessage(Buffer.from(message), agent.cipher, this.#counters)))
  }

  #write(bytes: Buffer): void {
    if (this.#socket.writableLength > unreadBytesMax) throw new Error('it does not read its answers')
    this.#socket.write(bytes)
  }

  #hear(what: { readonly connected: boolean }, isNews: boolean): void {
    if (!this.#agent) return
    const own = {
      ...(this.#version === undefined ? {} : { version: this.#version }),
      ...(this.#os === undefined ? {} : { os: this.#os }),
    }
    const { memories, now } = this.#services
    const sync = Object.fromEntries(memories.get(this.#agent.id) ?? [])
    const seen = { address: this.#address, last_seen: new Date(now()).toISOString(), sync, ...own, ...what }
    this.#services.heard.note(this.#agent.id, seen, isNews)
  }

  #eventOf(message: string, agent: KnownAgent): DescribedEvent | undefined {
    const event = wazuhEvent(message, this.#hostOf(agent))
    if (!event) return undefined
    return { event: { collected: 0, timezone: this.#services.timezone(), ...event }, bytes: message.length }
  }

  /** The agent's host, put together once for all events until the agent says something else of it. */
  #hostOf({ id, entry }: KnownAgent): WazuhHost {
    const version = this.#version ?? entry.version
    const os = this.#os ?? entry.os
    if (this.#host?.version !== version || this.#hostOs !== os || this.#host === undefined) {
      this.#hostOs = os
      this.#host = {
        id,
        name: entry.name,
        address: this.#address,
        ...(version === undefined ? {} : { version }),
        ...(os === undefined ? {} : { system: systemFields(os) }),
      }
    }
    return this.#host
  }

  #leave(): void {
    if (this.#agent && this.#services.connected.remove(this.#agent.id, this)) this.#hear({ connected: false }, true)
  }
}

function opened(sealed: Buffer, { id, cipher }: KnownAgent): Buffer {
  try {
    return openMessage(sealed, cipher)
  } catch (thrown) {
    throw new Error(`not sealed with the key of Wazuh agent ${id}: ${messageOf(thrown)}`, { cause: thrown })
  }
}

/** Takes a message apart into the id that it may begin with (`!001!`) and what is encrypted. */
function addressed(payload: Buffer): { readonly id: string | undefined; readonly sealed: Buffer } {
  if (payload[0] !== 0x21) return { id: undefined, sealed: payload }
  const id = /^!(\d{1,8})!/.exec(payload.toString('latin1', 0, 10))?.[1]
  if (id === undefined) throw new Error('its message does not begin as one of an agent')
  return { id, sealed: payload.subarray(id.length + 2) }
}
