import { randomUUID, X509Certificate } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { agentApiPaths, type EnrolRequest, enrolResponseSchema } from '@logstack/contracts'
import { AppError, agentsErrors, isAppError, messageOf, systemSentence } from '@logstack/errors'
import { type DataPaths, requireWritable, runningAgent } from './data-directory.ts'
import { readHostFacts } from './host-facts.ts'
import { type Identity, readIdentity, writeIdentity } from './identity.ts'
import { leave } from './leave.ts'
import { ServerClient } from './server-client.ts'
import { untilTaken } from './until-taken.ts'

const timeoutMs = 30_000

/** How to enrol. The server is known by its authority: as PEM, or by the SHA-256 of its DER bytes. */
export interface EnrolOptions {
  readonly url: string
  readonly token: string
  readonly authority: { readonly pem: string } | { readonly fingerprint: string }
  /** Enrol again although the directory holds an identity. */
  readonly force: boolean
  /** Waits so long, when too many hosts enrol at one time, and tells why. */
  readonly wait: (ms: number, reason: string) => Promise<void>
}

/** Who this host is now; and of who it was before, when that server could not be told, why. */
export interface Enrolled {
  readonly identity: Identity
  readonly untold?: { readonly url: string; readonly reason: string } | undefined
}

/**
 * Enrols this host: makes a key that never leaves it, and keeps who it is now in the data directory. With `force` the server that knew it before is
 * told that this agent is no more, so that it does not wait for it.
 */
export async function enrol(paths: DataPaths, options: EnrolOptions): Promise<Enrolled> {
  requireFree(paths, options.force)
  const before = options.force ? identityBefore(paths) : undefined
  const url = withPort(options.url)
  const { authority } = options
  const ca = 'pem' in authority ? authority.pem : await fetchAuthority(url, authority.fingerprint)
  // Before the server hears of this host: what cannot keep an identity is not enrolled.
  requireWritable(paths)
  const id = randomUUID()
  const facts = readHostFacts()
  // Loaded here only: what makes certificates is a fifth of the program and of no use to an agent at work.
  const { createClientRequest } = await import('@logstack/pki')
  const { request, key } = await createClientRequest(id)
  const body: EnrolRequest = {
    type: 'PERMANENT',
    id,
    metadata: { local: facts.metadata, user_provided: {}, tags: [] },
    certificate_request: request,
  }
  const client = new ServerClient({ url, ca, accessKey: options.token })
  try {
    const { item } = await untilTaken(options.wait, () =>
      client.request({ method: 'POST', path: agentApiPaths.enrol, body, timeoutMs, schema: enrolResponseSchema }),
    )
    const identity: Identity = {
      version: 1,
      id: item.id,
      name: facts.name,
      url,
      ca,
      access_key: item.access_api_key,
      certificate: item.certificate ?? '',
      key,
      policy_id: item.policy_id,
      enrolled_at: item.enrolled_at,
    }
    // What another server, or a broken disk, left behind.
    for (const path of [paths.policy, paths.status, paths.actions]) rmSync(path, { force: true })
    writeIdentity(paths, identity)
    const reason = before && (await leave(before))
    return before && reason !== undefined ? { identity, untold: { url: before.url, reason } } : { identity }
  } finally {
    client.close()
  }
}

/** `agent_already_enrolled` without `force` where the data directory holds an identity, `agent_already_running` where an agent runs in it. */
export function requireFree(paths: DataPaths, force: boolean): void {
  const known = force ? undefined : readIdentity(paths)
  if (known) {
    throw new AppError(agentsErrors.agent_already_enrolled, `this agent is enrolled already, as ${known.id}`, {
      fix: 'add --force to enrol it again',
    })
  }
  const pid = runningAgent(paths)
  if (pid !== undefined) {
    throw new AppError(agentsErrors.agent_already_running, `agent ${pid} runs in ${paths.folder}`, {
      fix: `stop the process ${pid} first`,
    })
  }
}

/** Who this host was until now: what is to be repaired or removed may be the identity itself, and one that cannot be read is none. */
export function identityBefore(paths: DataPaths): Identity | undefined {
  try {
    return readIdentity(paths)
  } catch (thrown) {
    if (isAppError(thrown) && thrown.code === 'agent_data_invalid') return undefined
    throw thrown
  }
}

/** An address without a port means agent-server's own. */
function withPort(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'https:') {
    throw new AppError(agentsErrors.server_untrusted, `--url: [${url}] is not an https address`, {
      fix: 'copy the command again from the dashboard: Agents, Add agent',
    })
  }
  return parsed.port === '' && !/:443$/.test(url) ? `https://${parsed.hostname}:8220` : parsed.origin
}

/** Takes the server's authority from its own TLS handshake, when its fingerprint is the expected one; nothing is sent to the server before that. */
async function fetchAuthority(url: string, fingerprint: string): Promise<string> {
  const wanted = fingerprint.replaceAll(':', '').toLowerCase()
  const certificate = await peerCertificate(new URL(url))
  const seen = new Set<string>()
  for (let at: DetailedPeerCertificate | undefined = certificate; at?.raw; at = at.issuerCertificate) {
    const current = at.fingerprint256.replaceAll(':', '').toLowerCase()
    if (current === wanted) return new X509Certificate(at.raw).toString()
    if (seen.has(current)) break
    seen.add(current)
  }
  throw new AppError(agentsErrors.server_untrusted, `${url} shows no certificate with this fingerprint`, {
    fix: 'copy the command again from the dashboard: Agents, Add agent',
  })
}

function peerCertificate(url: URL): Promise<DetailedPeerCertificate> {
  return new Promise((resolve, reject) => {
    const servername = /^[\d.:[\]]+$/.test(url.hostname) ? {} : { servername: url.hostname }
    const socket = connect({
      host: url.hostname,
      port: Number(url.port || 443),
      rejectUnauthorized: false,
      ...servername,
    })
    const fail = (cause: unknown): void => {
      socket.destroy()
      reject(
        new AppError(
          agentsErrors.server_unreachable,
          `cannot reach ${url.origin}: ${systemSentence(cause) ?? messageOf(cause)}`,
          {
            cause,
            fix: 'check the address, that ./logstack status on the server shows logstack-agent-server, and the firewall',
          },
        ),
      )
    }
    socket.setTimeout(timeoutMs, () => fail(new Error(`no answer within ${timeoutMs} ms`)))
    socket.on('error', fail)
    socket.on('secureConnect', () => {
      const certificate = socket.getPeerCertificate(true)
      socket.end()
      resolve(certificate)
    })
  })
}
