import { containerName, parts } from '@logstack/contracts'
import { isAppError, messageOf } from '@logstack/errors'
import { type CommandResult, runCommand } from '@logstack/process'
import { host } from '../places/host.ts'
import type { PartStatus } from '../runtimes/runtime.ts'
import type { Stack } from '../stack.ts'
import type { HttpAnswer } from './probe-https.ts'
import { probeSearch } from './probe-search.ts'
import { parseUnitStates, type UnitState, unitStatesArgv } from './unit-states.ts'

/** What the runtime said when it was asked what runs. `hung`: no answer within its limit. */
export type Listing =
  | { readonly state: 'answered'; readonly parts: readonly PartStatus[] }
  | { readonly state: 'hung'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }

const probeLimitMs = 4_000
const commandLimitMs = 4_000
const podmanLimitMs = 5_000

/**
 * One round's look at the stack, shared by its checks: each question is asked once, and questions to the container runtime one after the
 * other, as podman's commands block each other. Nothing here throws for a part or program that is down: that is an answer.
 */
export class Observations {
  readonly #stack: Stack
  readonly #patience: number
  readonly #asked = new Map<string, Promise<unknown>>()
  #podmanQueue: Promise<unknown> = Promise.resolve()

  /** `patience` multiplies what an answer may take: for whoever mends, a slow answer is better than none. */
  constructor(stack: Stack, patience = 1) {
    this.#stack = stack
    this.#patience = patience
  }

  /** How long one question of a look may take, in milliseconds: what it may take on a quiet host, times this round's patience. */
  limitMs(quietMs: number): number {
    return quietMs * this.#patience
  }

  /** What `ask` answers, asked for once a round under this name. */
  once<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const before = this.#asked.get(name) as Promise<T> | undefined
    if (before !== undefined) return before
    const asked = ask()
    this.#asked.set(name, asked)
    return asked
  }

  /** The five parts as the runtime lists them. */
  listing(): Promise<Listing> {
    return this.once('listing', () =>
      this.#inTurn(async (): Promise<Listing> => {
        try {
          return { state: 'answered', parts: await this.#stack.runtime.list() }
        } catch (thrown) {
          const message = messageOf(thrown)
          const hung = isAppError(thrown) && thrown.code === 'command_timed_out'
          return { state: hung ? 'hung' : 'failed', message }
        }
      }),
    )
  }

  /**
   * A podman command's result, once a round, in turn; `undefined` when podman hangs or failed, which the listing tells. Only reading
   * commands belong here.
   */
  async podman(...args: string[]): Promise<CommandResult | undefined> {
    const listing = await this.listing()
    if (listing.state !== 'answered') return undefined
    return this.once(`podman ${args.join(' ')}`, () =>
      this.#inTurn(() => attempt(['podman', ...args], this.limitMs(podmanLimitMs))),
    )
  }

  /** A reading command's result, once a round; `undefined` when it is missing or does not end in time. Exit codes are answers. */
  command(...argv: string[]): Promise<CommandResult | undefined> {
    return this.once(argv.join(' '), () => attempt(argv, this.limitMs(commandLimitMs)))
  }

  /** The states of the stack's units by name, network and volumes included; empty where there is no systemd. */
  async units(): Promise<ReadonlyMap<string, UnitState>> {
    const volumes = [...parts.map((part) => `logstack_data_${part}`), 'logstack_certs']
    const result = await this.command(
      ...unitStatesArgv([
        host.stackUnit,
        ...parts.map((part) => `${containerName(part)}.service`),
        `${host.network}-network.service`,
        ...volumes.map((name) => `${name}-volume.service`),
      ]),
    )
    return parseUnitStates(result?.stdout ?? '')
  }

  /** What search answers to `GET path` without credentials. The certificate is looked at, never required. */
  anonymous(path: string): Promise<HttpAnswer> {
    return this.once(`anonymous ${path}`, () => this.#probe(path))
  }

  /** What search answers to the administrator with the stored password; `vault` when that cannot be read. */
  async asAdmin(path: string): Promise<HttpAnswer | { readonly state: 'vault'; readonly message: string }> {
    return this.once(`admin ${path}`, async () => {
      const { adminUser } = this.#stack.choices
      try {
        const password = this.#stack.vault.read(adminUser)
        return await this.#probe(path, { username: adminUser, password })
      } catch (thrown) {
        return { state: 'vault' as const, message: messageOf(thrown) }
      }
    })
  }

  #probe(path: string, credentials?: { username: string; password: string }): Promise<HttpAnswer> {
    return probeSearch(this.#stack, path, {
      limitMs: this.limitMs(probeLimitMs),
      ...(credentials ? { credentials } : {}),
    })
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#podmanQueue.then(run)
    this.#podmanQueue = turn.catch(() => undefined)
    return turn
  }
}

async function attempt(argv: readonly string[], timeoutMs: number): Promise<CommandResult | undefined> {
  try {
    return await runCommand(argv, { timeoutMs, accept: Array.from({ length: 256 }, (_, code) => code) })
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}
