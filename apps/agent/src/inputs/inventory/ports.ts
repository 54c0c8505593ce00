import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { Fields, InventorySet } from './inventory-set.ts'

const listening = '0A'

interface Socket {
  readonly transport: 'tcp' | 'udp'
  readonly ip: string
  readonly port: number
  readonly inode: string
}

/** Reads a table of /proc/net: sockets that listen (TCP) or wait for anybody (UDP). */
export function readSockets(text: string, transport: 'tcp' | 'udp'): Socket[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', remote = '', state, , , , , , inode] = line.trim().split(/\s+/)
      const isOpen = transport === 'tcp' ? state === listening : /^0+:0000$/.test(remote)
      const [address = '', port = ''] = local.split(':')
      return isOpen && inode ? [{ transport, ip: readAddress(address), port: Number.parseInt(port, 16), inode }] : []
    })
}

/** An address of /proc/net: words of 32 bits in the host's order, which is little endian on every machine the agent runs on. */
function readAddress(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.subarray(at, at + 4).reverse()
  if (bytes.length === 4) return bytes.join('.')
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}

/**
 * Inode of a socket → the process that has it; only of processes the agent may look into. The kernel has these links at once: through the pool of
 * threads each would cost several times as much. Others have their turn between processes.
 */
async function owners(): Promise<Map<string, { pid: number; name: string }>> {
  const found = new Map<string, { pid: number; name: string }>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    await setImmediate()
    try {
      const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
      const inodes = links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
      if (inodes.length === 0) continue
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      for (const inode of inodes) found.set(inode, { pid: Number(pid), name })
    } catch (thrown) {
      // It ended meanwhile, or is somebody else's.
      if (!/^(ENOENT|EACCES|ESRCH|EPERM)$/.test((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
    }
  }
  return found
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    return ''
  }
}

/** Ports that are open on this host, and the program behind each. */
export const ports: InventorySet = {
  name: 'ports',
  noun: 'port',
  category: 'network',
  async read() {
    const tables = await Promise.all(
      (['tcp', 'tcp6', 'udp', 'udp6'] as const).map(async (table) =>
        readSockets(
          await readFile(`/proc/net/${table}`, 'utf8').catch(() => ''),
          table.startsWith('tcp') ? 'tcp' : 'udp',
        ),
      ),
    )
    const known = await owners()
    return new Map(
      tables.flat().map((socket): [string, Fields] => {
        const owner = known.get(socket.inode)
        return [
          `${socket.transport} ${socket.ip}:${socket.port}`,
          {
            server: { ip: socket.ip, port: socket.port },
            network: { transport: socket.transport },
            ...(owner ? { process: { name: owner.name } } : {}),
          },
        ]
      }),
    )
  },
}
