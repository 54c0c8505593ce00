import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { type WazuhAgent, wazuhAgentNameSchema, wazuhAgentsIndex } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { ensureHiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'
import { readEnrolmentRequest } from './enrolment-request.ts'
import { isEnrolmentToken } from './enrolment-tokens.ts'
import { type KnownAgents, mayComeFrom } from './known-agents.ts'

/** Names of groups may be long; we have none. */
const requestBytesMax = 72 * 1024
const requestMsMax = 30_000
/** How long a client that was answered may leave its connection open. */
const leavingMsMax = 2_000
const keyBytes = 32
const triesMax = 5

/** What enrolment needs. */
export interface EnrolmentServices {
  readonly search: SearchClient
  readonly logger: Logger
  readonly now: () => number
  readonly agents: KnownAgents
  /** Whether the agent of an id has a connection now. */
  readonly isConnected: (id: string) => boolean
}

/**
 * Gives Wazuh agents their keys: each connection asks once, with an enrolment token of agent-server as its password. A host that comes again under its name
 * keeps its id, so that what is known of it stays, unless its agent is connected, has that key still, or may not come from
 * there.
 */
export class Enrolment {
  readonly #services: EnrolmentServices
  /** One after the other: each takes the next id. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(services: EnrolmentServices) {
    this.#services = services
  }

  /** Answers one connection, in the texts that agents log. */
  async serve(socket: Socket, sender: string): Promise<void> {
    const line = await readLine(socket)
    const answer = await this.#answer(line, sender).catch((thrown: unknown) => {
      this.#services.logger.error({ sender }, `a Wazuh agent could not enrol: ${messageOf(thrown)}`)
      return 'ERROR: Internal manager error adding agent'
    })
    const isRefused = answer.startsWith('ERROR')
    if (isRefused) this.#services.logger.warn({ sender }, `a Wazuh agent was not enrolled: ${answer}`)
    const leaving = setTimeout(() => socket.destroy(), leavingMsMax)
    socket.once('close', () => clearTimeout(leaving))
    // What nobody reads would keep the connection open after its client has gone.
    socket.resume().end(`${answer}${isRefused ? '. Unable to add agent' : ''}\n\n`)
  }

  async #answer(line: string, sender: string): Promise<string> {
    const request = readEnrolmentRequest(line)
    if (!request) return 'ERROR: Invalid request for new agent'
    const { search, now } = this.#services
    const { name, password = '', keyHash } = request
    if (!(await isEnrolmentToken(search, password, now()))) return 'ERROR: Invalid password'
    if (!wazuhAgentNameSchema.safeParse(name).success) return `ERROR: Invalid agent name: ${name.slice(0, 128)}`
    const turn = this.#last.then(() => this.#enrol(name, keyHash, sender))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #enrol(name: string, keyHash: string | undefined, sender: string): Promise<string> {
    const { search, logger, agents, now, isConnected } = this.#services
    await ensureHiddenIndex(search, wazuhAgentsIndex)
    await agents.readNow()
    const present = agents.named(name)
    const isElsewhere = present !== undefined && !mayComeFrom(present, sender)
    if (present && (isElsewhere || isConnected(present.id) || keyHash === hashOf(present.id, present.entry)))
      return `ERROR: Duplicate agent name: ${name}`
    const key = randomBytes(keyBytes).toString('hex')
    const entry: WazuhAgent = {
      ...present?.entry,
      name,
      ip: present?.entry.ip ?? 'any',
      key,
      added: new Date(now()).toISOString(),
      added_by: 'enrolment',
    }
    const id = await this.#store(entry, present?.id)
    await agents.readNow()
    logger.info({ agent: id, name }, present ? 'a Wazuh agent was given a new key' : 'a Wazuh agent was enrolled')
    return `OSSEC K:'${id} ${name} any ${key}'`
  }

  /** Stores the entry under its id, or the next one that nobody has. */
  async #store(document: WazuhAgent, id: string | undefined): Promise<string> {
    const { search, agents } = this.#services
    let next = agents.lastNumber + 1
    for (let tries = 0; tries < triesMax; tries += 1, next += 1) {
      const target = { index: wazuhAgentsIndex.name, id: id ?? String(next).padStart(3, '0'), document }
      const [result] = await sendBulk(search, [{ action: id === undefined ? 'create' : 'index', ...target }], {
        refresh: 'true',
      })
      if (result && result.status < 300) return target.id
      if (result?.status !== 409) throw new Error(result?.error?.reason ?? 'search does not store it')
    }
    throw new Error(`agents ${next - triesMax} to ${next - 1} are there, and were not a moment ago`)
  }
}

function hashOf(id: string, { name, key }: WazuhAgent): string {
  return createHash('sha1').update(`${id}${name}${key}`).digest('hex')
}

async function readLine(socket: Socket): Promise<string> {
  const limit = setTimeout(() => socket.destroy(), requestMsMax)
  try {
    let line = ''
    for await (const bytes of socket.iterator({ destroyOnReturn: false })) {
      line += (bytes as Buffer).toString('utf8')
      const end = line.indexOf('\n')
      if (end >= 0) return line.slice(0, end)
      if (line.length > requestBytesMax) throw new Error(`a request of more than ${requestBytesMax} bytes`)
    }
    return line
  } finally {
    clearTimeout(limit)
  }
}
