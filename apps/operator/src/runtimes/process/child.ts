import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Probe } from '@logstack/part'
import { identifyProcess, type ProcessIdentity } from '../../places/process-identity.ts'
import type { RestartPolicy } from '../../quadlet/container.ts'
import type { Health } from '../runtime.ts'
import type { ChildSpec } from './child-spec.ts'
import { type LogFile, lastWords } from './log-file.ts'

/** What a child is doing, as the supervisor tells others. Times are milliseconds since the epoch. */
export interface ChildStatus {
  readonly name: string
  /** `waiting`: ended by itself, to be started again. */
  readonly phase: 'stopped' | 'up' | 'waiting' | 'stopping'
  readonly identity: ProcessIdentity | undefined
  readonly startedAtMs: number | undefined
  readonly endedAtMs: number | undefined
  readonly exitCode: number | undefined
  readonly health: Health | undefined
  readonly ready: boolean
  readonly restarts: number
  readonly failedStarts: number
  /** What it said before it ended, or what its failing health check answers. */
  readonly lastWords: string | undefined
}

/** What a child needs of its surroundings. */
export interface ChildHost {
  /** The definition, read anew at every start, so that an edit takes effect at the next one; its secrets are in place afterwards. */
  prepare(): ChildSpec
  readonly log: LogFile
  readonly probe: Probe
  /** Called after every change of phase. */
  onChange(): void
}

/** How often a starting child is looked at, how long one must have been ready for its failures to be forgotten, and the code of a program that cannot be run. */
const timing = { startingPollMs: 25, stableAfterMs: 60_000, cannotRunExitCode: 127 } as const

/** How long to wait before the next start: grows geometrically from first to max within `steps` restarts. */
export function restartDelayMs(policy: RestartPolicy, restartsInRow: number): number {
  if (policy.steps <= 0 || policy.maxMs <= policy.firstMs) return policy.firstMs
  const grown = policy.firstMs * (policy.maxMs / policy.firstMs) ** (restartsInRow / policy.steps)
  return Math.min(Math.round(grown), policy.maxMs)
}

/** One process that is kept running: started again when it ends, with growing delays; watched for readiness and health. */
export class Child {
  readonly name: string
  readonly #host: ChildHost
  #phase: ChildStatus['phase'] = 'stopped'
  #spec: ChildSpec | undefined
  #process: ChildProcess | undefined
  #identity: ProcessIdentity | undefined
  /** By `performance.now()`, as the clock may be set meanwhile; `#readyAt`, too. */
  #spawnedAt: number | undefined
  #endedAtMs: number | undefined
  #readyAt: number | undefined
  #exitCode: number | undefined
  #health: Health | undefined
  #failuresInRow = 0
  #restarts = 0
  #restartsInRow = 0
  #failedStarts = 0
  #words: string | undefined
  #timer: NodeJS.Timeout | undefined
  #ended: (() => void)[] = []

  constructor(name: string, host: ChildHost) {
    this.name = name
    this.#host = host
  }

  status(): ChildStatus {
    return {
      name: this.name,
      phase: this.#phase,
      identity: this.#identity,
      startedAtMs:
        this.#spawnedAt === undefined ? undefined : Math.round(Date.now() - (performance.now() - this.#spawnedAt)),
      endedAtMs: this.#endedAtMs,
      exitCode: this.#exitCode,
      health: this.#health,
      ready: this.#phase === 'up' && this.#readyAt !== undefined,
      restarts: this.#restarts,
      failedStarts: this.#failedStarts,
      lastWords: this.#words,
    }
  }

  /** Starts the process unless it is up; after failures, at once and with a clean record. */
  start(): void {
    if (this.#phase === 'stopping') return
    if (this.#phase === 'up') {
      // It may be about to fail once more of what was mended since it read its settings: that is not counted with what came before.
      if (this.#readyAt === undefined) this.#forgetFailures()
      return
    }
    clearTimeout(this.#timer)
    this.#forgetFailures()
    this.#spawn()
  }

  #forgetFailures(): void {
    this.#restartsInRow = 0
    this.#failedStarts = 0
  }

  /** Ends the process: SIGTERM, after the definition's limit SIGKILL. Resolves when it is gone. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const child = this.#process
    if (!child) {
      this.#enter('stopped')
      return
    }
    const gone = new Promise<void>((resolve) => this.#ended.push(resolve))
    if (this.#phase !== 'stopping') {
      this.#enter('stopping')
      child.kill('SIGTERM')
    }
    const kill = setTimeout(() => child.kill('SIGKILL'), this.#spec?.stopTimeoutMs ?? 0)
    await gone
    clearTimeout(kill)
  }

  /** Tells a process that is ready to read its settings and certificate again; before that it has read the newest anyway. */
  reload(): void {
    if (this.#phase === 'up' && this.#readyAt !== undefined) this.#process?.kill('SIGHUP')
  }

  #spawn(): void {
    this.#readyAt = undefined
    this.#exitCode = undefined
    this.#failuresInRow = 0
    this.#host.log.forget()
    this.#spawnedAt = performance.now()
    try {
      const spec = this.#host.prepare()
      this.#spec = spec
      this.#health = spec.health ? 'starting' : undefined
      if (spec.readyFile) {
        mkdirSync(dirname(spec.readyFile), { recursive: true })
        rmSync(spec.readyFile, { force: true })
      }
      mkdirSync(spec.cwd, { recursive: true })
      this.#run(spec)
    } catch (thrown) {
      // A definition or secret that cannot be read is a failed start like any other: told in the log and in status, tried again.
      this.#host.log.write(Buffer.from(`cannot start ${this.name}: ${String(thrown)}\n`))
      this.#afterEnd(timing.cannotRunExitCode)
    }
  }

  #run(spec: ChildSpec): void {
    const [program = '', ...rest] = spec.argv
    const child = spawn(program, rest, { cwd: spec.cwd, env: spec.env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process = child
    this.#identity = child.pid === undefined ? undefined : (identifyProcess(child.pid) ?? { pid: child.pid })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.#host.log.write(chunk))
    child.once('error', (error) => this.#host.log.write(Buffer.from(`cannot run ${program}: ${error.message}\n`)))
    // "close" comes after the last output, also when the program could not be run.
    child.once('close', (code, signal) => this.#afterEnd(code ?? (signal ? 128 : timing.cannotRunExitCode)))
    this.#enter('up')
    this.#watch(child, spec)
  }

  #watch(child: ChildProcess, spec: ChildSpec): void {
    const look = async (): Promise<void> => {
      if (this.#process !== child || this.#phase !== 'up') return
      const announced = !spec.readyFile || existsSync(spec.readyFile)
      if (announced && spec.health) await this.#probe(child, spec.health)
      else if (announced) this.#markReady()
      if (this.#process !== child || this.#phase !== 'up') return
      if (this.#readyAt !== undefined && !spec.health) return
      const starting = this.#health === undefined || this.#health === 'starting'
      this.#timer = setTimeout(look, starting ? timing.startingPollMs : spec.health?.intervalMs)
    }
    this.#timer = setTimeout(look, timing.startingPollMs)
  }

  async #probe(child: ChildProcess, health: NonNullable<ChildSpec['health']>): Promise<void> {
    const problem = await this.#host.probe(health.url, health.timeoutMs)
    if (this.#process !== child) return
    this.#words = problem
    if (problem === undefined) {
      this.#failuresInRow = 0
      this.#health = 'healthy'
      this.#markReady()
      return
    }
    const inStartPeriod =
      this.#health === 'starting' && performance.now() - (this.#spawnedAt ?? 0) < health.startPeriodMs
    if (inStartPeriod) return
    this.#failuresInRow++
    if (this.#failuresInRow >= health.retries) this.#health = 'unhealthy'
  }

  #markReady(): void {
    if (this.#readyAt !== undefined) return
    this.#readyAt = performance.now()
    this.#failedStarts = 0
    this.#host.onChange()
  }

  #afterEnd(exitCode: number): void {
    clearTimeout(this.#timer)
    this.#process = undefined
    this.#identity = undefined
    this.#endedAtMs = Date.now()
    this.#exitCode = exitCode
    this.#health = undefined
    this.#words = lastWords(this.#host.log.lastLines())
    for (const resolve of this.#ended.splice(0)) resolve()
    if (this.#phase === 'stopping') {
      this.#enter('stopped')
      return
    }
    if (this.#readyAt === undefined) this.#failedStarts++
    else if (performance.now() - this.#readyAt > timing.stableAfterMs) this.#restartsInRow = 0
    const delay = restartDelayMs(this.#spec?.restart ?? { firstMs: 1_000, maxMs: 1_000, steps: 0 }, this.#restartsInRow)
    this.#restarts++
    this.#restartsInRow++
    this.#enter('waiting')
    this.#timer = setTimeout(() => this.#spawn(), delay)
  }

  #enter(phase: ChildStatus['phase']): void {
    this.#phase = phase
    this.#host.onChange()
  }
}
