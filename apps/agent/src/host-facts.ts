import { readFileSync } from 'node:fs'
import { arch, hostname, networkInterfaces, type as osType, release } from 'node:os'
import type { LocalMetadata } from '@logstack/contracts'
import { ownExecutable } from './own-program.ts'

/** What the agent says of its host: the `host.*` fields of every event, and the metadata of enrolment. */
export interface HostFacts {
  readonly name: string
  readonly host: Record<string, unknown>
  readonly metadata: LocalMetadata
}

/** The agent's own version, which `agent.version` of its events shows. */
export const agentVersion = '0.1.0'

/** Reads this host's name, system, architecture and addresses. */
export function readHostFacts(): HostFacts {
  const name = hostname()
  const os = readOsRelease()
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((one) => !one.internal)
  const ip = [...new Set(addresses.map((one) => one.address))]
  const mac = [...new Set(addresses.map((one) => one.mac.toUpperCase().replaceAll(':', '-')))]
  const system = { ...os, kernel: release(), type: osType().toLowerCase() }
  const host = { name, hostname: name, architecture: arch(), os: system, ip, mac }
  return {
    name,
    host,
    metadata: {
      elastic: { agent: { version: agentVersion, program: ownExecutable() ?? 'agent.mjs' } },
      host: { hostname: name, name, ip },
      os: system,
    },
  }
}

/** Offset of the host's local time from UTC now, as `+02:00`. */
export function localTimezone(now: Date = new Date()): string {
  const minutes = -now.getTimezoneOffset()
  const pad = (value: number): string => String(Math.trunc(value)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${pad(Math.abs(minutes) / 60)}:${pad(Math.abs(minutes) % 60)}`
}

function readOsRelease(): Record<string, string> {
  const values = new Map<string, string>()
  for (const line of readTextIfThere('/etc/os-release').split('\n')) {
    const [, key, value] = /^([A-Z_]+)="?([^"]*)"?$/.exec(line) ?? []
    if (key !== undefined && value !== undefined) values.set(key, value)
  }
  const of = (key: string, field: string) => (values.has(key) ? { [field]: values.get(key) ?? '' } : {})
  return {
    ...of('NAME', 'name'),
    ...of('ID', 'platform'),
    ...of('VERSION_ID', 'version'),
    ...of('PRETTY_NAME', 'full'),
  }
}

function readTextIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw thrown
  }
}
