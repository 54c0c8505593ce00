import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import type { PartName } from '@logstack/contracts'
import { inspectCertificate } from '@logstack/pki'
import { leafFilesOf } from '../places/paths.ts'
import { waitReady } from '../runtimes/start-order.ts'
import { type Stack, searchIsRemote } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'

/** The ports on which parts show a certificate. The alerter serves nothing. */
const servingPorts: Partial<Record<PartName, number>> = {
  search: 9200,
  dashboard: 5601,
  'agent-server': 8220,
  'endpoint-manager': 1514,
}

const limits = { shownAfterMs: 30_000, handshakeMs: 10_000, pollMs: 250 } as const

/** What became of parts that were given new certificates. */
export interface Reloaded {
  readonly reloaded: readonly PartName[]
  /** Those that did not show the new certificate when asked to, and do so after a restart. */
  readonly restarted: readonly PartName[]
}

/**
 * Lets the running ones of `parts` show their new certificates: without an interruption, or by a restart where that does not help. Proves it
 * by a handshake with each. A part that does not run reads its certificate when it starts.
 */
export async function reloadCertificates(stack: Stack, parts: readonly PartName[]): Promise<Reloaded> {
  // A cluster in search's place has certificates of its own.
  const own = parts.filter((part) => part !== 'search' || !searchIsRemote(stack))
  const running = (await stack.runtime.list()).filter(({ part, state }) => own.includes(part) && state === 'running')
  const reloaded: PartName[] = []
  const restarted: PartName[] = []
  for (const { part, ready } of running) {
    // One that is not ready has no way to be told, and with the old certificate it may never become so: its own health check refuses that.
    if (ready) await stack.runtime.reload(part)
    if (ready && (await showsItsLeaf(stack, part))) {
      reloaded.push(part)
      continue
    }
    await stack.runtime.restart(part)
    await waitReady(stack.runtime, [part])
    if (!(await showsItsLeaf(stack, part))) throw unproven(`${part} does not show its new certificate`)
    restarted.push(part)
  }
  stack.clients.close()
  return { reloaded, restarted }
}

/** The fingerprint of what a part shows to a client that asks for `name` (for an address without it); undefined when nothing there speaks TLS. */
function shownFingerprint(stack: Stack, part: PartName, name?: string): Promise<string | undefined> {
  const port = servingPorts[part]
  if (port === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port: stack.ports.of(port),
      // What is shown is compared with a file, and nothing is said.
      rejectUnauthorized: false,
      timeout: limits.handshakeMs,
      ...(name === undefined ? {} : { servername: name }),
    })
    const end = (fingerprint: string | undefined): void => {
      socket.destroy()
      resolve(fingerprint)
    }
    socket.on('secureConnect', () => end(socket.getPeerX509Certificate()?.fingerprint256))
    socket.on('timeout', () => end(undefined))
    socket.on('error', () => end(undefined))
  })
}

/** Waits until a part shows a certificate to clients that ask for `name`; false when it does not in time. */
export async function waitUntilShown(
  stack: Stack,
  part: PartName,
  fingerprint: string,
  name?: string,
): Promise<boolean> {
  const deadline = performance.now() + limits.shownAfterMs
  for (;;) {
    if ((await shownFingerprint(stack, part, name)) === fingerprint) return true
    if (performance.now() > deadline) return false
    await sleep(limits.pollMs)
  }
}

async function showsItsLeaf(stack: Stack, part: PartName): Promise<boolean> {
  if (servingPorts[part] === undefined) return true
  const { fingerprint } = inspectCertificate(readFileSync(leafFilesOf(stack.paths, part).cert, 'utf8'))
  return waitUntilShown(stack, part, fingerprint)
}
