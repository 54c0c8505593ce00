import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'

/** Characters of a request that the server reads at most, and how long a client waits while nothing comes. */
const limits = { requestCharactersMax: 16_384, silentMs: 60_000 } as const

/**
 * Serves requests of this host on a Unix socket that only its owner may open: one line of JSON a connection, one line back. What `handle`
 * throws ends the connection without an answer. Paths of any length work. Resolves when it listens.
 */
export async function serveLocal(path: string, handle: (request: unknown) => Promise<unknown>): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => void answer(socket, handle))
  const short = shortPath(path)
  const listening = once(server, 'listening')
  // The socket is made within the call, and at no time may anyone else open it: the umask decides, not a later chmod.
  const before = process.umask(0o177)
  server.listen(short.path)
  process.umask(before)
  await listening
  server.on('close', () => short.release())
  return server
}

/**
 * Sends one request to a Unix socket and resolves to the answer. Rejects when nothing listens there, when nothing is heard for a minute, and when the
 * connection ends before the answer is whole.
 */
export function askLocal(path: string, request: unknown): Promise<unknown> {
  const short = shortPath(path)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(short.path)
    socket.setTimeout(limits.silentMs, () => socket.destroy(new Error(`no answer at ${path}`)))
    socket.on('connect', () => socket.end(`${JSON.stringify(request)}\n`))
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => {
      short.release()
      if (text === '') reject(new Error(`no answer at ${path}`))
      // Thrown in a listener it would end the process.
      else if (!text.endsWith('\n')) reject(new Error(`the answer at ${path} broke off`))
      else resolve(JSON.parse(text))
    })
  })
}

// A socket's address has 108 bytes; the way over the open directory is always short enough (unix(7), proc(5)).
function shortPath(path: string): { readonly path: string; release(): void } {
  const descriptor = openSync(dirname(path), 'r')
  return { path: `/proc/self/fd/${descriptor}/${basename(path)}`, release: () => closeSync(descriptor) }
}

async function answer(socket: Socket, handle: (request: unknown) => Promise<unknown>): Promise<void> {
  socket.on('error', () => socket.destroy())
  try {
    const result = await handle(JSON.parse(await readLine(socket)))
    socket.end(`${JSON.stringify(result)}\n`)
  } catch (thrown) {
    socket.destroy(thrown instanceof Error ? thrown : undefined)
  }
}

async function readLine(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.includes('\n')) break
    if (text.length > limits.requestCharactersMax) throw new Error('request too long')
  }
  return text
}
