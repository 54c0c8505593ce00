import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { createAuthority, type IssuedCertificate, issueClientCertificate } from '@logstack/pki'
import { LiveSettings } from '@logstack/settings'
import { freePort, type MemorySearch, memorySearch, type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpointManagerSettings } from '../settings.ts'
import { startEndpointManager } from '../start.ts'

const agentId = '0b6d7a52-3a59-4d0c-9a66-0c5a2f9f6f10'
const strangerId = '5f0c1f43-7d0a-4f63-8b1f-9f0f5a3c2b11'
const waitLimitMs = 10_000

let temporary: TempDir
let search: MemorySearch
let part: RunningPart
let own: IssuedCertificate
let stranger: IssuedCertificate
const ports = { agents: 0, syslog: 0 }

interface Reply {
  readonly status: number
  readonly body: unknown
}

async function post(
  id: string,
  body: Buffer,
  certificate: Partial<IssuedCertificate>,
  encoding = 'gzip',
  agent: Agent | false = false,
): Promise<Reply> {
  const { ca } = await testCertificates()
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': encoding }
    const url = `https://127.0.0.1:${ports.agents}/api/agents/${id}/events`
    const outgoing = request(url, { method: 'POST', ca, ...certificate, headers, agent }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function batch(from: number, to: number, id = agentId, more: Record<string, unknown> = {}): Buffer {
  const header = {
    agent: { id, name: 'web1', version: '0.1.0' },
    spool: '0a1b2c3d',
    common: { host: { name: 'web1' } },
  }
  const records = Array.from({ length: to - from }, (_, index) => ({
    offset: from + index,
    time: 1_700_000_000_000 + from + index,
    data_stream: { type: 'logs', dataset: 'batch' },
    event: { message: `line ${from + index}`, ...more },
  }))
  return gzipSync(`${[header, ...records].map((line) => JSON.stringify(line)).join('\n')}\n`)
}

const documents = (index: string) => [...(search.indices.get(index)?.values() ?? [])]

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + waitLimitMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

beforeAll(async () => {
  temporary = tempDir('logstack-endpoint-manager')
  const certificates = await testCertificates()
  search = await memorySearch(certificates, ['logstack_endpoint_manager:b', 'elastic:secret'])
  const authority = await createAuthority({ commonName: 'logstack agents CA' })
  own = await issueClientCertificate(authority, { commonName: agentId })
  stranger = await issueClientCertificate(authority, { commonName: strangerId })
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), authority.cert)
  mkdirSync(join(temporary.path, 'secrets'))
  writeFileSync(join(temporary.path, 'secrets/logstack_endpoint_manager'), 'b\n')
  ports.agents = await freePort()
  ports.syslog = await freePort()
  const environment = readPartEnvironment({
    LOGSTACK_LISTEN: `127.0.0.1:${ports.agents}`,
    LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${ports.syslog}`,
    LOGSTACK_DATA_DIR: temporary.path,
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: join(temporary.path, 'secrets'),
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_RULES_DIR: new URL('../../../../rules', import.meta.url).pathname,
  })
  const settings = new LiveSettings(endpointManagerSettings, {})
  search.indices.set('.logstack-agents', new Map([[agentId, { active: true }]]))
  part = await startEndpointManager({ environment, settings, logger: createLogger('endpoint-manager', 'silent') })
})

afterAll(async () => {
  await part?.stop()
  await search?.close()
  temporary?.remove()
})

describe('agents', () => {
  it('stores a batch, and once only when it is sent again', async () => {
    expect(await post(agentId, batch(0, 100), own)).toEqual({ status: 200, body: { acknowledged: 100 } })
    expect(await post(agentId, batch(50, 150), own)).toEqual({ status: 200, body: { acknowledged: 150 } })
    expect(documents('logs-batch-default')).toHaveLength(150)
    expect(search.conflicts).toBe(50)
  })

  it('stores what another host sent to the syslog listener of an agent as that host’s', async () => {
    const message = '<38>Nov 23 10:00:00 fw1 gatekeeper[7]: refused 192.0.2.7'
    const relayed = batch(7_000, 7_001, agentId, { message, log: { source: { address: '192.0.2.1' } } })
    expect((await post(agentId, relayed, own)).status).toBe(200)
    const stored = documents('logs-batch-default')
    expect(stored.find((one) => JSON.stringify(one).includes('192.0.2.7'))).toMatchObject({
      message: 'refused 192.0.2.7',
      host: { name: 'fw1', ip: '192.0.2.1' },
      agent: { id: agentId },
      log: { source: { address: '192.0.2.1' }, syslog: { appname: 'gatekeeper', priority: 38 } },
    })
  })

  it('keeps what an agent says that its host has', async () => {
    const inventory = { kind: 'package', key: 'openssl', present: true }
    expect((await post(agentId, batch(7_100, 7_101, agentId, { logstack: { inventory } }), own)).status).toBe(200)
    await until(() => documents('endpoint-inventory').length > 0)
    expect(documents('endpoint-inventory')).toMatchObject([{ agent: { id: agentId }, logstack: { inventory } }])
  })

  it('knows an agent again that resumes its TLS session', async () => {
    const agent = new Agent({ keepAlive: false })
    for (const _ of [1, 2, 3]) expect((await post(agentId, batch(0, 1), own, 'gzip', agent)).status).toBe(200)
    agent.destroy()
  })

  it.each([
    ['no certificate', agentId, () => ({}), 403],
    ['the certificate of another agent', agentId, () => stranger, 403],
    ['an agent that is not enrolled', strangerId, () => stranger, 403],
  ])('refuses %s', async (_, id, certificate, status) => {
    expect(await post(id, batch(500, 501, id), certificate())).toMatchObject({ status, body: { error: 'Forbidden' } })
  })

  it("refuses a certificate of the servers' authority", async () => {
    const { authority } = await testCertificates()
    const forged = await issueClientCertificate(authority, { commonName: agentId })
    expect(await post(agentId, batch(500, 501), forged)).toMatchObject({ status: 403 })
  })

  it.each([
    ['broken gzip', Buffer.from('no'), 'gzip', 400],
    ['an unknown packing', Buffer.from('no'), 'br', 400],
    ['no JSON', gzipSync('{'), 'gzip', 400],
    ['a bomb', gzipSync(Buffer.alloc(80 * 1024 * 1024)), 'gzip', 413],
  ])('refuses %s', async (_, body, encoding, status) => {
    expect(await post(agentId, body, own, encoding)).toMatchObject({ status })
  })

  it('acknowledges nothing while search takes nothing', async () => {
    search.refuse = () => ({ status: 429, reason: 'busy' })
    expect(await post(agentId, batch(600, 601), own)).toMatchObject({ status: 503 })
    search.refuse = undefined
    search.unavailable = true
    expect(await post(agentId, batch(600, 601), own)).toMatchObject({ status: 503 })
    search.unavailable = false
    expect(await post(agentId, batch(600, 601), own)).toEqual({ status: 200, body: { acknowledged: 601 } })
  })
})

describe('syslog', () => {
  const sendUdp = (text: string): void => {
    const socket = createSocket('udp4')
    socket.send(text, ports.syslog, '127.0.0.1', () => socket.close())
  }

  it('takes RFC 3164 over UDP and decodes it', async () => {
    sendUdp('<38>Nov 21 10:00:00 gate sshd[1]: Failed password for udp from 203.0.113.9 port 1 ssh2')
    await until(() => documents('logs-system.auth-default').length === 1)
    expect(documents('logs-system.auth-default')[0]).toMatchObject({
      host: { name: 'gate', ip: '127.0.0.1' },
      user: { name: 'udp' },
      event: { outcome: 'failure' },
      log: { syslog: { facility: { name: 'auth' } }, source: { address: '127.0.0.1' } },
    })
  })

  it('takes both framings over one TCP connection, and what has no form at all', async () => {
    const counted = '<34>1 2026-11-21T10:00:00Z router app 1 ID [x@1 k="v"] counted'
    const socket = connect(ports.syslog, '127.0.0.1')
    socket.end(`${counted.length} ${counted}<13>Nov 21 10:00:00 router app: line\n%%%\n`)
    await until(() => documents('logs-syslog-default').length === 3)
    const byMessage = new Map(
      documents('logs-syslog-default').map((one) => [(one as { message: string }).message, one]),
    )
    expect(byMessage.get('counted')).toMatchObject({ log: { syslog: { structured_data: { 'x@1': { k: 'v' } } } } })
    expect(byMessage.get('line')).toMatchObject({ host: { name: 'router' } })
    expect(byMessage.get('%%%')).toMatchObject({ tags: ['unparsed'], host: { name: '127.0.0.1' } })
  })

  it.skipIf(!existsSync('/usr/bin/logger')).each([
    ['RFC 5424 over UDP', ['--udp', '--rfc5424']],
    ['RFC 3164 over UDP', ['--udp', '--rfc3164']],
    ['RFC 5424 over TCP, counted', ['--tcp', '--rfc5424', '--octet-count']],
    ['RFC 3164 over TCP, in lines', ['--tcp', '--rfc3164']],
  ])('takes what logger sends as %s', async (name, flags) => {
    const address = ['--server', '127.0.0.1', '--port', String(ports.syslog)]
    const words = ['--tag', 'logger-test', '--priority', 'local3.warning', `sent as ${name}`]
    expect(spawnSync('logger', [...flags, ...address, ...words]).status).toBe(0)
    const found = () =>
      documents('logs-syslog-default').find((one) => (one as { message: string }).message.includes(name))
    await until(() => found() !== undefined)
    expect(found()).toMatchObject({
      message: `sent as ${name}`,
      log: { level: 'warning', syslog: { appname: 'logger-test', facility: { name: 'local3' } } },
    })
  })
})

describe('syslog in bad times', () => {
  it('gives up a line without an end, and takes what others send meanwhile', async () => {
    const before = documents('logs-syslog-default').length
    const endless = connect(ports.syslog, '127.0.0.1')
    const closed = new Promise<void>((resolve) => endless.once('close', () => resolve()))
    // Writing goes on until the other side hangs up, which is an error here.
    endless.on('error', () => endless.destroy())
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const write = (): unknown => endless.write(piece, (failed) => failed ?? write())
    write()
    await closed
    const other = connect(ports.syslog, '127.0.0.1')
    other.end('<13>Nov 21 10:00:00 router app: beside the endless one\n')
    const messages = () => documents('logs-syslog-default').map((one) => (one as { message: string }).message)
    await until(() => messages().includes('beside the endless one'))
    // The pieces that came before it was given up, and the other's message.
    await until(() => messages().length === before + 65)
  })

  it('keeps messages while search is away', async () => {
    const before = documents('logs-syslog-default').length
    search.unavailable = true
    const socket = connect(ports.syslog, '127.0.0.1')
    for (let number = 0; number < 200; number += 1) socket.write(`<13>Nov 21 10:00:00 router numbered: ${number}\n`)
    socket.end()
    await new Promise((resolve) => setTimeout(resolve, 300))
    search.unavailable = false
    await until(() => documents('logs-syslog-default').length === before + 200)
  })
})
