import { containerName, type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { type CommandResult, runCommand } from '@logstack/process'
import { logFileOf, type Paths } from '../../places/paths.ts'
import type { Ports } from '../../places/ports.ts'
import { residentBytes } from '../../places/process-identity.ts'
import { readSupervisorState } from '../../places/supervisor-state.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import { durationWords } from '../duration.ts'
import type { LogOptions, PartStatus, Runtime } from '../runtime.ts'
import type { ChildStatus } from './child.ts'
import { childSpecOf } from './child-spec.ts'
import { askControl, type ControlRequest, controlSocketPath } from './control.ts'
import { followFile } from './follow-file.ts'

/** A listing answers at once; an order may have to wait until a part has stopped. */
const timeouts = { listMs: 5_000, orderMs: 90_000, shutdownMs: 180_000 } as const

/** The embedded runtime: the parts are processes of one supervisor, reached over its socket. */
export class ProcessRuntime implements Runtime {
  readonly kind = 'process'
  readonly #paths: Paths
  readonly #ports: Ports

  constructor(paths: Paths, ports: Ports) {
    this.#paths = paths
    this.#ports = ports
  }

  async list(): Promise<PartStatus[]> {
    const children = await this.children()
    return parts.map((part) => {
      const child = children.find((candidate) => candidate.name === containerName(part))
      return partStatusOf(part, child, Date.now())
    })
  }

  /** Everything the supervisor runs, the agent too; empty when there is no supervisor. */
  async children(): Promise<ChildStatus[]> {
    try {
      return await this.#ask<ChildStatus[]>({ do: 'list' }, timeouts.listMs)
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === operatorErrors.not_running.code) return []
      throw thrown
    }
  }

  start(part: PartName): Promise<void> {
    return this.startNamed(containerName(part))
  }

  /** Starts a process by its name, also one that is no part (`logstack-agent`). */
  async startNamed(name: string): Promise<void> {
    await this.#ask({ do: 'start', name }, timeouts.orderMs)
  }

  async stop(part: PartName): Promise<void> {
    await this.#ask({ do: 'stop', name: containerName(part) }, timeouts.orderMs)
  }

  async restart(part: PartName): Promise<void> {
    await this.#ask({ do: 'restart', name: containerName(part) }, timeouts.orderMs)
  }

  async isStopped(part: PartName): Promise<boolean> {
    // The supervisor lists a part that waits for its next start as exited.
    return (await this.list()).every((status) => status.part !== part || status.state === 'absent')
  }

  async reload(part: PartName): Promise<void> {
    await this.#ask({ do: 'reload', name: containerName(part) }, timeouts.listMs)
  }

  /** Stops everything in reverse order and the supervisor itself; returns when all of it is gone. */
  async shutdown(): Promise<void> {
    await this.#ask({ do: 'shutdown' }, timeouts.shutdownMs)
  }

  async memoryUsed(): Promise<ReadonlyMap<PartName, number>> {
    const running = (await this.list()).filter((status) => status.pid !== undefined)
    return new Map(running.map(({ part, pid }) => [part, residentBytes(pid ?? 0)]))
  }

  logs(part: PartName, options: LogOptions): AsyncIterable<string> {
    return followFile(logFileOf(this.#paths, containerName(part)), options)
  }

  async exec(
    part: PartName,
    argv: readonly string[],
    options: { timeoutMs: number; input?: string },
  ): Promise<CommandResult> {
    const definition = loadDefinitions(this.#paths).get(part)
    const state = readSupervisorState(this.#paths)
    if (!definition || !state)
      throw new AppError(operatorErrors.not_running, `${part} is not running`, { fix: './logstack up' })
    const secretsDir = `${state.secretsRoot}/${containerName(part)}`
    const spec = childSpecOf(definition, { paths: this.#paths, ports: this.#ports, secretsDir })
    // The programs a container has on its path lie in the checkout's scripts.
    const path = `${this.#paths.programDir}/scripts:${spec.env['PATH'] ?? ''}`
    return runCommand(argv, { ...options, env: { ...spec.env, PATH: path }, cwd: spec.cwd })
  }

  #ask<T>(request: ControlRequest, timeoutMs: number): Promise<T> {
    return askControl<T>(controlSocketPath(this.#paths.runDir), request, timeoutMs)
  }
}

/** A child in the words of podman's listing. */
function partStatusOf(part: PartName, child: ChildStatus | undefined, nowMs: number): PartStatus {
  const name = containerName(part)
  if (!child || child.phase === 'stopped') {
    return { part, name, state: 'absent', statusText: '', health: undefined, ready: false }
  }
  const rest = {
    failedStarts: child.failedStarts,
    ...(child.lastWords ? { lastWords: child.lastWords } : {}),
  }
  if (child.phase === 'waiting') {
    const ago = durationWords(nowMs - (child.endedAtMs ?? nowMs))
    const statusText = `Exited (${child.exitCode ?? 0}) ${ago} ago`
    return { part, name, state: 'exited', statusText, health: undefined, ready: false, ...rest }
  }
  const up = `Up ${durationWords(nowMs - (child.startedAtMs ?? nowMs))}`
  return {
    part,
    name,
    state: 'running',
    statusText: child.health ? `${up} (${child.health})` : up,
    health: child.health,
    ready: child.ready && (child.health === undefined || child.health === 'healthy'),
    ...(child.identity ? { pid: child.identity.pid } : {}),
    ...(child.startedAtMs === undefined ? {} : { startedAtMs: child.startedAtMs }),
    ...rest,
  }
}
