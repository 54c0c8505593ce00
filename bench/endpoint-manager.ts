import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority, issueClientCertificate } from '@logstack/pki'
import { freePort, memorySearch, tempDir, testCertificates } from '@logstack/testkit'

/** An agent that endpoint-manager knows, and what it proves itself with. */
interface KnownAgent {
  readonly id: string
  readonly cert: string
  readonly key: string
}

/**
 * Starts the built endpoint-manager (`dist/endpoint-manager.mjs`) with the shipped rules as a process of its own, on free ports of loopback. Its search
 * is one in memory in this process, which knows `users` (`name:password`) beside the account of endpoint-manager.
 */
export async function startEndpointManager(users: readonly string[] = []) {
  const folder = tempDir('logstack-bench-endpoint-manager')
  const certificates = await testCertificates()
  const authority = await createAuthority({ commonName: 'agents' })
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), authority.cert)
  const secrets = join(folder.path, 'secrets')
  mkdirSync(secrets)
  writeFileSync(join(secrets, 'logstack_endpoint_manager'), 'b\n')
  const search = await memorySearch(certificates, ['logstack_endpoint_manager:b', ...users])
  const [port, syslogPort] = [await freePort(), await freePort()]
  const server = spawn(process.execPath, ['dist/endpoint-manager.mjs'], {
    stdio: 'inherit',
    env: {
      PATH: process.env['PATH'],
      MALLOC_ARENA_MAX: '2',
      LOGSTACK_LISTEN: `127.0.0.1:${port}`,
      LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${syslogPort}`,
      LOGSTACK_DATA_DIR: folder.path,
      LOGSTACK_CERTS_DIR: certificates.dir,
      LOGSTACK_SECRETS_DIR: secrets,
      LOGSTACK_SEARCH_URL: search.url,
      LOGSTACK_RULES_DIR: `${process.cwd()}/rules`,
      LOGSTACK_LOG_LEVEL: 'error',
    },
  })
  const known = new Map<string, unknown>()
  search.indices.set('.logstack-agents', known)
  return {
    pid: server.pid ?? 0,
    port,
    syslogPort,
    ca: certificates.ca,
    indices: search.indices,
    async newAgent(): Promise<KnownAgent> {
      const id = randomUUID()
      known.set(id, { active: true })
      return { id, ...(await issueClientCertificate(authority, { commonName: id })) }
    },
    async stop(): Promise<void> {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await search.close()
      folder.remove()
    },
  }
}
