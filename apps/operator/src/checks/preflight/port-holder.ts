import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process that holds a port. */
export interface PortHolder {
  readonly pid: number
  /** Its program's name. */
  readonly command: string
}

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
    if (holds) return { pid: Number(entry), command: readText(`/proc/${entry}/comm`).trim() }
  }
  return undefined
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
