import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type TestSearch, testCertificates } from '@logstack/testkit'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** What a program wrote and how it ended. */
export interface ClientRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a program is run. */
export interface ClientOptions {
  /** All of its environment but the search path. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** It is ended after this time. */
  readonly limitMs?: number
}

/** Runs a program to its end. */
export async function runClient(command: readonly string[], options: ClientOptions = {}): Promise<ClientRun> {
  const [program = '', ...args] = command
  const env = { PATH: process.env['PATH'] ?? '', ...options.env }
  const child = spawn(program, args, { env, stdio: 'pipe' })
  const timer = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 120_000)
  // A program that ends before it has read all is judged by its exit code.
  child.stdin.on('error', () => undefined).end(options.stdin ?? '')
  const text = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk
    })
  }
  return await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, ...text })
    })
  })
}

/** The file with the certificate of the authority that a client shall trust. */
export async function authorityFile(): Promise<string> {
  return join((await testCertificates()).dir, 'root-ca.crt')
}

/** Our own client for this search, to look at what the other wrote. */
export function observer(search: TestSearch): WireClient {
  const { port } = new URL(search.url)
  return wireClient({ port: Number(port), ca: search.ca, auth: `${search.username}:${search.password}` })
}
