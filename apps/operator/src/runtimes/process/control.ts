import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError, isAppError, messageOf, operatorErrors } from '@logstack/errors'
import { z } from 'zod'

/** What a supervisor can be asked. */
export const controlRequest = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list') }),
  z.object({ do: z.literal('start'), name: z.string() }),
  z.object({ do: z.literal('stop'), name: z.string() }),
  z.object({ do: z.literal('restart'), name: z.string() }),
  z.object({ do: z.literal('reload'), name: z.string() }),
  z.object({ do: z.literal('shutdown') }),
])

export type ControlRequest = z.infer<typeof controlRequest>

/** Answers one request; what it returns is sent as JSON, what it throws as an error. */
export type ControlHandler = (request: ControlRequest) => Promise<unknown>

type Reply = { ok: true; result: unknown } | { ok: false; message: string; fix?: string | undefined }

const limits = { requestBytesMax: 4_096, socketPathBytesMax: 100 } as const

/** The socket of the stack in `dataDir`: in its run directory, or, when that path is too long for a socket, in a private directory of /tmp. */
export function controlSocketPath(runDir: string): string {
  const path = join(runDir, 'control.sock')
  if (Buffer.byteLength(path) <= limits.socketPathBytesMax) return path
  const digest = createHash('sha256').update(runDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `logstack-${process.getuid?.() ?? 0}`, `${digest}.sock`)
}

/** Listens for requests of the same user: one line of JSON a connection, one line back. */
export async function serveControl(path: string, handle: ControlHandler): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => void answer(socket, handle))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return server
}

/** Sends one request. `not_running` when nobody listens. */
export async function askControl<T>(path: string, request: ControlRequest, timeoutMs: number): Promise<T> {
  const reply = await exchange(path, `${JSON.stringify(request)}\n`, timeoutMs)
  const parsed = JSON.parse(reply) as Reply
  if (parsed.ok) return parsed.result as T
  throw new AppError(operatorErrors.part_failed, parsed.message, { fix: parsed.fix ?? './logstack status' })
}

function exchange(path: string, line: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    let text = ''
    socket.setTimeout(timeoutMs, () => {
      const message = `the supervisor did not answer within ${timeoutMs} ms`
      socket.destroy(new AppError(operatorErrors.command_timed_out, message, { fix: './logstack down' }))
    })
    socket.on('connect', () => socket.end(line))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', (thrown) => reject(isAppError(thrown) ? thrown : notRunning(thrown)))
    socket.on('close', () => (text === '' ? reject(notRunning()) : resolve(text)))
  })
}

function notRunning(cause?: unknown): AppError {
  return new AppError(operatorErrors.not_running, 'logstack is not running', { cause, fix: './logstack up --detach' })
}

async function answer(socket: Socket, handle: ControlHandler): Promise<void> {
  socket.on('error', () => socket.destroy())
  let reply: Reply
  try {
    reply = { ok: true, result: await handle(controlRequest.parse(JSON.parse(await readLine(socket)))) }
  } catch (thrown) {
    reply = { ok: false, message: messageOf(thrown), fix: isAppError(thrown) ? thrown.fix : undefined }
  }
  socket.end(`${JSON.stringify(reply)}\n`)
}

async function readLine(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.includes('\n')) break
    if (text.length > limits.requestBytesMax) throw new Error('request too long')
  }
  return text
}
