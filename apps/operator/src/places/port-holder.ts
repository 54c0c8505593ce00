import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that holds a port. */
export interface PortHolder {
  readonly pid: number
  /** Its program's name. */
  readonly command: string
  /** The unit of systemd it belongs to; undefined for a process of a session. */
  readonly unit: string | undefined
  /** The container it holds the port for; undefined for any other process. */
  readonly container: string | undefined
}

/** Holds the ports of a container that runs or just ended. */
export const containerMonitor = 'conmon'

/** The state of a listening TCP socket in /proc/net/tcp. */
const listening = '0A'

/** The process that listens on a port, as far as /proc lets this user see it; undefined otherwise. */
export function portHolder(port: number, protocol: 'tcp' | 'udp'): PortHolder | undefined {
  const inodes = new Set(
    [protocol, `${protocol}6`].flatMap((table) => socketInodes(readText(`/proc/net/${table}`), port, protocol)),
  )
  if (inodes.size === 0) return undefined
  for (const entry of listDir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const holds = listDir(`/proc/${entry}/fd`).some((fd) => inodes.has(linkOf(`/proc/${entry}/fd/${fd}`)))
    if (holds) return describe(Number(entry))
  }
  return undefined
}

/** The service a process belongs to, from the text of /proc/PID/cgroup; undefined for one of a session or a user's own. */
export function unitOf(cgroup: string): string | undefined {
  return /^0::\/system\.slice\/(?:\S+\/)?([^/\s]+\.service)(?:\/|$)/m.exec(cgroup)?.[1]
}

/** What frees the port, as a command: its unit's stop, since systemd may start it again; else its container's; else the process's. */
export function endCommand({ pid, unit, container }: PortHolder): string {
  if (unit !== undefined) return `systemctl stop ${unit}`
  return container === undefined ? `kill ${pid}` : `podman stop ${container}`
}

function describe(pid: number): PortHolder {
  const command = readText(`/proc/${pid}/comm`).trim()
  const argv = readText(`/proc/${pid}/cmdline`).split('\0')
  const named = command === containerMonitor ? argv[argv.indexOf('-n') + 1] : undefined
  return { pid, command, unit: unitOf(readText(`/proc/${pid}/cgroup`)), container: named }
}

/** The links (`socket:[inode]`) of sockets bound to a port, from the text of a table of /proc/net. */
export function socketInodes(table: string, port: number, protocol: 'tcp' | 'udp'): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${wanted}`) && (protocol === 'udp' || fields[3] === listening))
    .map((fields) => `socket:[${fields[9]}]`)
}

function readText(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? ''
}

function listDir(path: string): string[] {
  return attempt(() => readdirSync(path)) ?? []
}

function linkOf(path: string): string {
  return attempt(() => readlinkSync(path)) ?? ''
}

// Processes end while they are looked at, and those of other users are closed: both are simply not seen.
function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code) return undefined
    throw thrown
  }
}
