import { type Assignment, allOf, invalid, lastOf, type UnitFile } from './unit-file.ts'
import { parseSpanMs, splitWords } from './words.ts'

/** A port of the container that the host publishes. */
export interface PublishedPort {
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: 'tcp' | 'udp'
}

/** What is mounted where: a named volume (no leading slash) or a host path. */
export interface VolumeMount {
  readonly source: string
  readonly target: string
  readonly options: readonly string[]
}

/** The health check of a container. */
export interface HealthCheck {
  readonly command: readonly string[]
  readonly intervalMs: number
  readonly timeoutMs: number
  /** Failures in a row that make a container unhealthy. */
  readonly retries: number
  /** Failures within this time from the start do not count. */
  readonly startPeriodMs: number
}

/** When a container that ended is started again: delays grow from first to max within `steps` restarts. */
export interface RestartPolicy {
  readonly firstMs: number
  readonly maxMs: number
  readonly steps: number
}

/** The user and group of a container's processes. */
export interface ContainerUser {
  readonly uid: number
  readonly gid: number
}

/** What a `.container` file says, as far as a runtime other than podman needs it. */
export interface ContainerDefinition {
  readonly file: string
  readonly name: string
  readonly image: string
  readonly exec: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly environmentFiles: readonly string[]
  readonly ports: readonly PublishedPort[]
  readonly volumes: readonly VolumeMount[]
  /** Names of the secrets the part gets as files in memory: `Secret=` of the section that only we read. */
  readonly secrets: readonly string[]
  /** The user inside, where the definition names one by numbers. */
  readonly user: ContainerUser | undefined
  readonly health: HealthCheck | undefined
  readonly podmanArgs: readonly string[]
  readonly restart: RestartPolicy
  readonly startTimeoutMs: number
  readonly stopTimeoutMs: number
}

const defaults = {
  healthIntervalMs: 30_000,
  healthTimeoutMs: 30_000,
  healthRetries: 3,
  restartFirstMs: 100,
  startTimeoutMs: 90_000,
  stopTimeoutMs: 10_000,
} as const

/** systemd and podman pass over sections whose names begin with X-. podman's own `Secret=` would leave a copy in plain text on the disk. */
const ownSection = 'X-Logstack'

/** Reads a `.container` unit; a missing or malformed value is `definition_invalid` with file and line. */
export function readContainer(unit: UnitFile): ContainerDefinition {
  const container = (key: string): Assignment | undefined => lastOf(unit, 'Container', key)
  const every = (key: string): Assignment[] => allOf(unit, 'Container', key)
  const span = (section: string, key: string, otherwise: number): number => {
    const found = lastOf(unit, section, key)
    return found ? spanOf(found) : otherwise
  }
  const restartFirstMs = span('Service', 'RestartSec', defaults.restartFirstMs)
  const podmanArgs = every('PodmanArgs').flatMap(wordsOf)
  return {
    file: unit.file,
    name: required(unit, 'ContainerName').value,
    image: required(unit, 'Image').value,
    exec: wordsOf(required(unit, 'Exec')),
    environment: environmentOf(every('Environment')),
    environmentFiles: every('EnvironmentFile').map((found) => found.value),
    ports: every('PublishPort').map(portOf),
    volumes: every('Volume').map(volumeOf),
    secrets: allOf(unit, ownSection, 'Secret').map((found) => found.value),
    user: userOf(unit),
    health: container('HealthCmd') ? healthOf(unit, podmanArgs) : undefined,
    podmanArgs,
    restart: {
      firstMs: restartFirstMs,
      maxMs: span('Service', 'RestartMaxDelaySec', restartFirstMs),
      steps: Number(lastOf(unit, 'Service', 'RestartSteps')?.value ?? 0),
    },
    startTimeoutMs: span('Service', 'TimeoutStartSec', defaults.startTimeoutMs),
    stopTimeoutMs: span('Container', 'StopTimeout', defaults.stopTimeoutMs),
  }
}

function userOf(unit: UnitFile): ContainerUser | undefined {
  const uid = lastOf(unit, 'Container', 'User')
  if (!uid) return undefined
  const numbers = [uid, lastOf(unit, 'Container', 'Group') ?? uid].map((found) => {
    if (/^\d+$/.test(found.value)) return Number(found.value)
    throw invalid(found.file, found.line, `${found.key}=${found.value} is not a number`)
  })
  return { uid: numbers[0] ?? 0, gid: numbers[1] ?? 0 }
}

function healthOf(unit: UnitFile, podmanArgs: readonly string[]): HealthCheck {
  const given = podmanArgs.map((word) => /^--health-interval=(.+)$/.exec(word)?.[1]).find(Boolean)
  const ms = (key: string, otherwise: number): number => {
    const found = lastOf(unit, 'Container', key)
    return found ? spanOf(found) : otherwise
  }
  return {
    command: wordsOf(required(unit, 'HealthCmd')),
    intervalMs: (given ? parseSpanMs(given) : undefined) ?? ms('HealthInterval', defaults.healthIntervalMs),
    timeoutMs: ms('HealthTimeout', defaults.healthTimeoutMs),
    retries: Number(lastOf(unit, 'Container', 'HealthRetries')?.value ?? defaults.healthRetries),
    startPeriodMs: ms('HealthStartPeriod', 0),
  }
}

// A word without "=" is dropped: quadlet does so with the second word of an unquoted Environment=ES_JAVA_OPTS=-Xms4g -Xmx4g.
function environmentOf(found: readonly Assignment[]): Record<string, string> {
  const pairs = found.flatMap(wordsOf).filter((word) => word.indexOf('=') > 0)
  return Object.fromEntries(pairs.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]))
}

function portOf(found: Assignment): PublishedPort {
  const match = /^(?:(?:\[[^\]]+\]|[^:[\]]+):)?(\d+):(\d+)(?:\/(tcp|udp))?$/.exec(found.value)
  if (!match) throw invalid(found.file, found.line, `PublishPort=${found.value} is not host:container[/protocol]`)
  return {
    hostPort: Number(match[1]),
    containerPort: Number(match[2]),
    protocol: match[3] === 'udp' ? 'udp' : 'tcp',
  }
}

function volumeOf(found: Assignment): VolumeMount {
  const [source, target, options] = found.value.split(':')
  if (!source || !target?.startsWith('/')) {
    throw invalid(found.file, found.line, `Volume=${found.value} is not source:/target[:options]`)
  }
  return { source, target, options: options ? options.split(',') : [] }
}

function spanOf(found: Assignment): number {
  const ms = parseSpanMs(found.value)
  if (ms === undefined) throw invalid(found.file, found.line, `${found.key}=${found.value} is not a time span`)
  return ms
}

function wordsOf(found: Assignment): string[] {
  const words = splitWords(found.value)
  if (!words) throw invalid(found.file, found.line, `${found.key}: a quote is not closed`)
  return words
}

function required(unit: UnitFile, key: string): Assignment {
  const found = lastOf(unit, 'Container', key)
  if (!found) throw invalid(unit.file, 1, `[Container] has no ${key}=`)
  return found
}
