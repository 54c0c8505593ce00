import { setTimeout as sleep } from 'node:timers/promises'
import type { PartName } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { type CommandResult, runCommand, streamLines } from '@logstack/process'
import { residentBytes } from '../../places/process-identity.ts'
import {
  activeStateArgv,
  invocationArgv,
  journalArgv,
  resetFailedArgv,
  restartsArgv,
  restartUnitArgv,
  stackUnitArgv,
  startUnitArgv,
  stopUnitArgv,
} from '../../systemd/argv.ts'
import { lastWords } from '../process/log-file.ts'
import type { LogOptions, PartStatus, Runtime } from '../runtime.ts'
import { execArgv, listArgv, pidsArgv, reloadArgv } from './argv.ts'
import { parseListing } from './parse-listing.ts'

/** No podman or systemd command may hang: one that does holds the container runtime's lock, and is ended. */
const timeouts = { listMs: 5_000, orderMs: 30_000, stopMs: 120_000 } as const

/** How often systemd is asked whether a restart has begun, in milliseconds. */
const pollMs = 100

const readyFile = '/run/logstack/ready'

/** The production runtime: podman runs the containers, systemd starts and stops them. Commands run one after the other. */
export class PodmanRuntime implements Runtime {
  readonly kind = 'podman'
  readonly #run: typeof runCommand

  /** `run` is replaced in tests. */
  constructor(run: typeof runCommand = runCommand) {
    this.#run = run
  }

  async list(): Promise<PartStatus[]> {
    const { stdout } = await this.#run(listArgv(), { timeoutMs: timeouts.listMs })
    return parseListing(stdout)
  }

  async inspect(status: PartStatus): Promise<PartStatus> {
    const { part } = status
    if (status.ready) {
      // Without a health check, running is not yet working: the part writes this file when it is.
      if (status.health !== undefined) return status
      const argv = execArgv(part, ['test', '-e', readyFile])
      const { exitCode } = await this.#run(argv, { timeoutMs: timeouts.orderMs, accept: [1, 125, 126, 127, 255] })
      return { ...status, ready: exitCode === 0 }
    }
    const failedStarts = Number(await this.#ask(restartsArgv(part))) || 0
    if (failedStarts === 0) return { ...status, failedStarts }
    const journal = await this.#run(journalArgv(part, { lines: 60, follow: false }), { timeoutMs: timeouts.orderMs })
    const words = lastWords(journal.stdout.split('\n'))
    return { ...status, failedStarts, ...(words ? { lastWords: words } : {}) }
  }

  async start(part: PartName): Promise<void> {
    await this.#run(resetFailedArgv(part), { timeoutMs: timeouts.orderMs, accept: [1, 5] })
    await this.#run(startUnitArgv(part), { timeoutMs: timeouts.orderMs })
  }

  async stop(part: PartName): Promise<void> {
    await this.#run(stopUnitArgv(part), { timeoutMs: timeouts.stopMs })
  }

  async restart(part: PartName): Promise<void> {
    const before = await this.#ask(invocationArgv(part))
    await this.#run(restartUnitArgv(part), { timeoutMs: timeouts.orderMs })
    // Until the old container has gone, podman lists it as up and healthy.
    const deadline = performance.now() + timeouts.stopMs
    while ((await this.#ask(invocationArgv(part))) === before) {
      if (performance.now() > deadline) {
        throw new AppError(operatorErrors.part_failed, `${part} did not stop within ${timeouts.stopMs / 1000} s`, {
          detail: { part },
          fix: `read its log with: ./logstack logs ${part}`,
        })
      }
      await sleep(pollMs)
    }
  }

  async isStopped(part: PartName): Promise<boolean> {
    // systemd is asked, not podman: a container that ended is gone until systemd starts the next one.
    const state = await this.#ask(activeStateArgv(part))
    return state === 'inactive' || state === 'failed'
  }

  async orderWhole(verb: 'start' | 'stop'): Promise<void> {
    await this.#run(stackUnitArgv(verb), { timeoutMs: timeouts.stopMs })
  }

  async reloadDefinitions(): Promise<void> {
    await this.#run(['systemctl', 'daemon-reload'], { timeoutMs: timeouts.orderMs })
  }

  async memoryUsed(): Promise<ReadonlyMap<PartName, number>> {
    const running = (await this.list()).filter((status) => status.state === 'running')
    if (running.length === 0) return new Map()
    const { stdout } = await this.#run(pidsArgv(running.map(({ name }) => name)), { timeoutMs: timeouts.listMs })
    const pids = stdout.trim().split('\n').map(Number)
    return new Map(running.map(({ part }, at) => [part, residentBytes(pids[at] ?? 0)]))
  }

  async reload(part: PartName): Promise<void> {
    await this.#run(reloadArgv(part), { timeoutMs: timeouts.orderMs })
  }

  logs(part: PartName, options: LogOptions): AsyncIterable<string> {
    return streamLines(journalArgv(part, options), options.signal ? { signal: options.signal } : {})
  }

  exec(
    part: PartName,
    argv: readonly string[],
    options: { timeoutMs: number; input?: string },
  ): Promise<CommandResult> {
    return this.#run(execArgv(part, argv), options)
  }

  async #ask(argv: readonly string[]): Promise<string> {
    return (await this.#run(argv, { timeoutMs: timeouts.orderMs })).stdout.trim()
  }
}
