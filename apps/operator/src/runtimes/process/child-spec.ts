import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { logFileOf, type Paths } from '../../places/paths.ts'
import type { Ports } from '../../places/ports.ts'
import type { ContainerDefinition, RestartPolicy } from '../../quadlet/container.ts'
import { parseEnvironmentFile } from '../../quadlet/environment-file.ts'

/** One process the supervisor keeps running. */
export interface ChildSpec {
  readonly name: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** Written by the process when it is ready; without one, started is ready. */
  readonly readyFile: string | undefined
  /** Names of the secrets it gets as files. */
  readonly secrets: readonly string[]
  readonly health: ProbeSpec | undefined
  readonly restart: RestartPolicy
  readonly stopTimeoutMs: number
}

/** A health check as the embedded runtime runs it: an HTTPS request that must answer 200. */
export interface ProbeSpec {
  readonly url: string
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly retries: number
  readonly startPeriodMs: number
}

/** What the translation needs to know of this machine. */
export interface ProcessPlaces {
  readonly paths: Paths
  readonly ports: Ports
  /** Where this part's secrets are put. */
  readonly secretsDir: string
}

const healthProgram = 'logstack-health'
/** Variables of the operator's own environment that every part gets. */
const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const

/**
 * Turns a container's definition into a process of this machine: container paths become paths of the data directory or of the checkout,
 * `0.0.0.0:PORT` the address and port of this stack, and `https://logstack-PART:PORT` its loopback address.
 */
export function childSpecOf(definition: ContainerDefinition, places: ProcessPlaces): ChildSpec {
  const { paths } = places
  const translate = translator(definition, places)
  const env = inheritedEnvironment()
  // As with podman, Environment= wins over EnvironmentFile=.
  for (const file of definition.environmentFiles) Object.assign(env, readEnvironmentFile(paths.at(file)))
  for (const [name, value] of Object.entries(definition.environment)) {
    // The address of somebody else's cluster is that on every machine.
    const isForeign = name === 'LOGSTACK_SEARCH_URL' && !value.startsWith('https://logstack-')
    env[name] = isForeign ? value : translate(value)
  }
  // The supervisor asks over HTTPS itself.
  delete env['LOGSTACK_HEARTBEAT_FILE']
  const [program = '', ...rest] = definition.exec
  return {
    name: definition.name,
    argv: [program === 'node' ? process.execPath : translate(program), ...rest.map(translate)],
    cwd: env['LOGSTACK_DATA_DIR'] ?? paths.root,
    env,
    logFile: logFileOf(paths, definition.name),
    readyFile: env['LOGSTACK_READY_FILE'],
    secrets: definition.secrets,
    health: probeOf(definition, translate),
    restart: definition.restart,
    stopTimeoutMs: definition.stopTimeoutMs,
  }
}

// Settings of the parts given as variables (`LOGSTACK_ALERTER_WEBHOOK_URL`), for one start and all restarts within it.
const settingVariable = /^LOGSTACK_(SEARCH|DASHBOARD|ENDPOINT_MANAGER|AGENT_SERVER|ALERTER|AGENT)_[A-Z]/

/** What every process gets of the operator's own environment. */
export function inheritedEnvironment(): Record<string, string> {
  const settings = Object.keys(process.env).filter((name) => settingVariable.test(name))
  return Object.fromEntries(
    [...inherited, ...settings].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}

/** The directories of this machine that stand for the container's. */
function mountsOf(definition: ContainerDefinition, places: ProcessPlaces): [container: string, here: string][] {
  const { paths } = places
  const volumes = definition.volumes.map((volume): [string, string] => [
    volume.target,
    volume.source.startsWith('/') ? paths.at(volume.source) : paths.volume(volume.source),
  ])
  return [
    // Before the volumes: what a container gets from memory of the host, a process gets from the supervisor.
    ['/run/secrets', places.secretsDir],
    ...volumes,
    ['/run/logstack', join(paths.runDir, definition.name)],
    ['/usr/lib/logstack', join(paths.programDir, 'dist')],
  ]
}

function translator(definition: ContainerDefinition, places: ProcessPlaces): (value: string) => string {
  const mounts = mountsOf(definition, places)
  const { ports } = places
  return (value) => {
    const mount = mounts.find(([container]) => value === container || value.startsWith(`${container}/`))
    if (mount) return mount[1] + value.slice(mount[0].length)
    const listen = /^(?:0\.0\.0\.0|\[::\]):(\d+)$/.exec(value)
    if (listen) return `${ports.listenHost}:${ports.of(Number(listen[1]))}`
    return value.replace(
      /^https:\/\/(?:logstack-[a-z-]+|127\.0\.0\.1|localhost):(\d+)/,
      (_all, port: string) => `https://127.0.0.1:${ports.of(Number(port))}`,
    )
  }
}

function probeOf(definition: ContainerDefinition, translate: (value: string) => string): ProbeSpec | undefined {
  const { health } = definition
  if (!health) return undefined
  const [program, url] = health.command
  if (program !== healthProgram || !url) {
    const message = `${definition.file}: HealthCmd=${health.command.join(' ')} cannot run without containers`
    throw new AppError(operatorErrors.definition_invalid, message, {
      fix: `write HealthCmd=${healthProgram} https://127.0.0.1:PORT/PATH`,
    })
  }
  const { intervalMs, timeoutMs, retries, startPeriodMs } = health
  return { url: translate(url), intervalMs, timeoutMs, retries, startPeriodMs }
}

function readEnvironmentFile(file: string): Record<string, string> {
  return existsSync(file) ? parseEnvironmentFile(readFileSync(file, 'utf8')) : {}
}
