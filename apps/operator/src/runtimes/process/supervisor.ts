import type { Server } from 'node:net'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import type { Probe } from '@logstack/part'
import { identifyProcess } from '../../places/process-identity.ts'
import { stopOrder } from '../../places/process-names.ts'
import {
  reapOrphans,
  removeSupervisorState,
  type SupervisorState,
  writeSupervisorState,
} from '../../places/supervisor-state.ts'
import { Child, type ChildStatus } from './child.ts'
import type { ChildSpec } from './child-spec.ts'
import { type ControlRequest, controlSocketPath, serveControl } from './control.ts'
import { LogFile } from './log-file.ts'
import { type ReadSecret, SecretsDir } from './secrets-dir.ts'

/** What a supervisor needs of its surroundings. */
export interface SupervisorHost {
  readonly runDir: string
  readonly probe: Probe
  readonly readSecret: ReadSecret
  /** The processes that may be asked for, by name. */
  readonly names: readonly string[]
  logFileOf(name: string): string
  /** Reads a process's definition, at each of its starts. */
  specOf(name: string, secretsDir: string): ChildSpec
  /** Called when everything has stopped. */
  onShutdown?(): void
}

/** Owns the processes of an embedded stack: starts, watches, restarts and stops them, and answers on its socket. */
export class Supervisor {
  readonly #host: SupervisorHost
  readonly #secrets: SecretsDir
  readonly #children = new Map<string, Child>()
  readonly #logs = new Map<string, LogFile>()
  readonly #socket: string
  #server: Server | undefined
  #stopped: Promise<void> | undefined

  constructor(host: SupervisorHost) {
    this.#host = host
    this.#socket = controlSocketPath(host.runDir)
    this.#secrets = new SecretsDir(host.readSecret, host.runDir)
    for (const name of host.names) this.#addChild(name)
  }

  /** Ends what a killed predecessor left, then listens. */
  async listen(): Promise<void> {
    await reapOrphans({ runDir: this.#host.runDir })
    this.#server = await serveControl(this.#socket, (request) => this.handle(request))
    this.#writeState()
  }

  async handle(request: ControlRequest): Promise<unknown> {
    if (request.do === 'list') return this.list()
    if (request.do === 'shutdown') return this.shutdown()
    const child = this.#childOf(request.name)
    if (request.do === 'reload') {
      child.reload()
      return null
    }
    if (request.do !== 'start') await child.stop()
    if (request.do !== 'stop') child.start()
    return null
  }

  list(): ChildStatus[] {
    return [...this.#children.values()].map((child) => child.status())
  }

  /** Stops everything in reverse order, removes secrets and state, and stops listening. */
  shutdown(): Promise<void> {
    this.#stopped ??= this.#shutdown()
    return this.#stopped
  }

  async #shutdown(): Promise<void> {
    for (const group of stopOrder) {
      await Promise.all(group.map((name) => this.#children.get(name)?.stop()))
    }
    this.#secrets.remove()
    for (const log of this.#logs.values()) log.close()
    this.#server?.close()
    removeSupervisorState({ runDir: this.#host.runDir })
    this.#host.onShutdown?.()
  }

  #addChild(name: string): void {
    const log = new LogFile(this.#host.logFileOf(name))
    this.#logs.set(name, log)
    const prepare = (): ChildSpec => {
      const spec = this.#host.specOf(name, this.#secrets.dirOf(name))
      this.#secrets.write(name, spec.secrets)
      return spec
    }
    const onChange = (): void => this.#writeState()
    this.#children.set(name, new Child(name, { prepare, log, probe: this.#host.probe, onChange }))
  }

  #childOf(name: string): Child {
    const child = this.#children.get(name)
    if (child && !this.#stopped) return child
    const problem = child ? 'the stack is stopping' : `there is no process [${name}]`
    throw new AppError(operatorErrors.not_running, problem, { fix: './logstack status' })
  }

  #writeState(): void {
    if (!this.#server) return
    const children = this.list().flatMap(({ identity, name }) => (identity ? [{ ...identity, name }] : []))
    const state: SupervisorState = {
      supervisor: identifyProcess(process.pid) ?? { pid: process.pid },
      socket: this.#socket,
      secretsRoot: this.#secrets.root,
      children,
    }
    try {
      writeSupervisorState({ runDir: this.#host.runDir }, state)
    } catch (thrown) {
      // A full disk must not end the supervisor of a running stack: the state only serves whoever finds it killed.
      process.emitWarning(`the state of the supervisor was not written: ${messageOf(thrown)}`)
    }
  }
}
