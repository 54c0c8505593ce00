import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { LiveSettings } from '@logstack/settings'
import { freePort, type MemorySearch, memorySearch, tempDir, testCertificates } from '@logstack/testkit'
import { endpointManagerSettings } from './settings.ts'
import { startEndpointManager } from './start.ts'

const waitLimitMs = 90_000

/** An endpoint-manager with every input open, before a search in memory that also knows `sender:secret`. */
export interface TestedPart {
  readonly search: MemorySearch
  readonly ports: Readonly<Record<'https' | 'syslog' | 'syslogTls' | 'gelf' | 'fluent' | 'enrolment', number>>
  /** The documents of a data stream. */
  documents(stream: string): Record<string, unknown>[]
  /** Resolves once the condition holds; fails after a minute and a half. */
  until(holds: () => boolean): Promise<void>
  stop(): Promise<void>
}

/** The shipped rules. */
export const shippedRules = new URL('../../../rules', import.meta.url).pathname

/** Starts one with free ports. */
export async function startTestedPart(
  settings: Readonly<Record<string, unknown>> = {},
  rulesDir = shippedRules,
): Promise<TestedPart> {
  const temporary = tempDir('logstack-endpoint-manager')
  const certificates = await testCertificates()
  const search = await memorySearch(certificates, ['logstack_endpoint_manager:b', 'sender:secret', 'reader:secret'])
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), certificates.ca)
  mkdirSync(join(temporary.path, 'secrets'))
  writeFileSync(join(temporary.path, 'secrets/logstack_endpoint_manager'), 'b\n')
  const ports = {
    https: await freePort(),
    syslog: await freePort(),
    syslogTls: await freePort(),
    gelf: await freePort(),
    fluent: await freePort(),
    enrolment: await freePort(),
  }
  const environment = readPartEnvironment({
    LOGSTACK_LISTEN: `127.0.0.1:${ports.https}`,
    LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${ports.syslog}`,
    LOGSTACK_SYSLOG_TLS_LISTEN: `127.0.0.1:${ports.syslogTls}`,
    LOGSTACK_GELF_LISTEN: `127.0.0.1:${ports.gelf}`,
    LOGSTACK_WAZUH_ENROLMENT_LISTEN: `127.0.0.1:${ports.enrolment}`,
    LOGSTACK_FLUENT_LISTEN: `127.0.0.1:${ports.fluent}`,
    LOGSTACK_DATA_DIR: temporary.path,
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: join(temporary.path, 'secrets'),
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_RULES_DIR: rulesDir,
  })
  const part: RunningPart = await startEndpointManager({
    environment,
    settings: new LiveSettings(endpointManagerSettings, settings),
    logger: createLogger('endpoint-manager', 'silent'),
  })
  return {
    search,
    ports,
    documents: (stream) => [...(search.indices.get(stream)?.values() ?? [])] as Record<string, unknown>[],
    async until(holds) {
      for (const deadline = Date.now() + waitLimitMs; !holds(); ) {
        if (Date.now() > deadline) throw new Error('waited in vain')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async stop() {
      await part.stop()
      await search.close()
      temporary.remove()
    },
  }
}
