import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { createAuthority } from '@logstack/pki'
import { LiveSettings } from '@logstack/settings'
import { freePort, type MemorySearch, memorySearch, type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentServerSettings } from '../settings.ts'
import { startAgentServer } from '../start.ts'

const administrator = `Basic ${Buffer.from('elastic:secret').toString('base64')}`
const hasTools = ['/usr/bin/curl', '/usr/bin/sha256sum'].every((path) => existsSync(path))

let temporary: TempDir
let search: MemorySearch
let part: RunningPart
let url: string
let executable: Buffer

interface Offered {
  readonly command: string
  readonly script_sha256: string
  readonly wazuh: { readonly windows: string }
}

async function ask(method: string, path: string, authorization?: string): Promise<{ status: number; body: string }> {
  const { ca } = await testCertificates()
  return new Promise((resolve, reject) => {
    const headers = authorization === undefined ? {} : { authorization }
    const outgoing = request(`${url}${path}`, { method, ca, headers, agent: false }, (incoming) => {
      let body = ''
      incoming.on('data', (chunk) => {
        body += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Runs the script as a host would, below a folder instead of `/`; `path` is what the host has of programs. */
function install(root: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return installWith(process.env['PATH'], root, ...args)
}

function installWith(
  path: string | undefined,
  root: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const script = join(temporary.path, 'logstack-agent.sh')
  const child = spawn('/bin/sh', [script, ...args], {
    env: { ...process.env, PATH: path, LOGSTACK_AGENT_ROOT: join(temporary.path, root) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += String(bytes)
    })
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

// What a small host has: everything the script needs but Node.js.
const fewTools = 'basename cat chmod curl cut grep gzip id mkdir mktemp mv rm sh sha256sum uname'.split(' ')

function hostWithoutNode(): string {
  const folder = join(temporary.path, 'few-tools')
  mkdirSync(folder)
  for (const tool of fewTools) {
    const found = ['/usr/bin', '/bin'].map((each) => join(each, tool)).find((each) => existsSync(each))
    if (found) symlinkSync(found, join(folder, tool))
  }
  return folder
}

/** Offers executables that are none: scripts that run the agent with this Node.js. As packed and noted as the build does it. */
function offerExecutables(programs: string): Buffer {
  const text = Buffer.from(`#!/bin/sh\nexec '${process.execPath}' '${join(programs, 'agent.mjs')}' "$@"\n`)
  const packed = gzipSync(text)
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
  const entry = { sha256: hashOf(text), bytes: text.length, packed_sha256: hashOf(packed), from: '' }
  mkdirSync(join(programs, 'agents'))
  const names = ['logstack-agent-linux-x64', 'logstack-agent-linux-arm64']
  for (const name of names) writeFileSync(join(programs, 'agents', `${name}.gz`), packed)
  const catalogue = Object.fromEntries(names.map((name) => [name, entry]))
  writeFileSync(join(programs, 'agents/agents.json'), JSON.stringify(catalogue))
  return text
}

async function makeToken(): Promise<string> {
  const { body } = await ask('POST', '/api/fleet/enrollment_api_keys', administrator)
  return (JSON.parse(body) as { item: { api_key: string } }).item.api_key
}

beforeAll(async () => {
  temporary = tempDir('logstack-installer')
  const certificates = await testCertificates()
  search = await memorySearch(certificates, ['elastic:secret', 'logstack_agent_server:a', 'reader:r'])
  const authority = await createAuthority({ commonName: 'logstack agents CA' })
  mkdirSync(join(temporary.path, 'secrets'))
  mkdirSync(join(temporary.path, 'programs'))
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), authority.cert)
  writeFileSync(join(temporary.path, 'secrets/logstack_agents_ca_key'), authority.key)
  writeFileSync(join(temporary.path, 'secrets/logstack_agent_server'), 'a\n')
  await build({
    entryPoints: [new URL('../../../agent/src/main.ts', import.meta.url).pathname],
    outfile: join(temporary.path, 'programs/agent.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  })
  executable = offerExecutables(join(temporary.path, 'programs'))
  const port = await freePort()
  url = `https://127.0.0.1:${port}`
  const environment = readPartEnvironment({
    LOGSTACK_LISTEN: `127.0.0.1:${port}`,
    LOGSTACK_DATA_DIR: temporary.path,
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: join(temporary.path, 'secrets'),
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_PROGRAM_DIR: join(temporary.path, 'programs'),
    LOGSTACK_ENDPOINT_MANAGER_URL: 'https://127.0.0.1:2514',
    LOGSTACK_WAZUH_ENROLMENT_URL: 'https://127.0.0.1:2515',
    IPVAR: '127.0.0.1',
  })
  const settings = new LiveSettings(agentServerSettings, {})
  part = await startAgentServer({ environment, settings, logger: createLogger('agent-server', 'silent') })
})

afterAll(async () => {
  await part?.stop()
  await search?.close()
  temporary?.remove()
})

describe('the installer', () => {
  it('is one line for administrators only, with the hash of what it downloads', async () => {
    expect((await ask('GET', '/api/fleet/agents/command')).status).toBe(401)
    const reader = `Basic ${Buffer.from('reader:r').toString('base64')}`
    expect((await ask('GET', '/api/fleet/agents/command', reader)).status).toBe(403)
    const { body } = await ask('GET', '/api/fleet/agents/command', administrator)
    const { command, script_sha256, wazuh } = (JSON.parse(body) as { item: Offered }).item
    const script = await ask('GET', '/api/agent/install.sh')
    expect(createHash('sha256').update(script.body).digest('hex')).toBe(script_sha256)
    expect(command).toContain(`${url}/api/agent/install.sh`)
    expect(command).toContain(script_sha256)
    expect(command.split('\n')).toHaveLength(1)
    expect(wazuh.windows).toContain('WAZUH_MANAGER_PORT=`"2514`" WAZUH_REGISTRATION_PORT=`"2515`"')
    writeFileSync(join(temporary.path, 'logstack-agent.sh'), script.body)
  })

  it.skipIf(!hasTools)('enrols a host, notices that it is there, repairs it, and takes it away', async () => {
    const first = await install('host', '--token', await makeToken())
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('installed') })
    const data = join(temporary.path, 'host/var/lib/logstack-agent')
    const identity = (): { id: string } =>
      JSON.parse(readFileSync(join(data, 'identity.json'), 'utf8')) as { id: string }
    expect(search.indices.get('.logstack-agents')?.get(identity().id)).toMatchObject({ active: true })
    expect(statSync(data).mode & 0o777).toBe(0o700)

    const again = await install('host', '--token', await makeToken())
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('installed already') })

    // A program that was upgraded to and does not start is taken back by what starts it.
    const programs = join(temporary.path, 'host/usr/lib/logstack-agent')
    const working = readFileSync(join(programs, 'agent.mjs'), 'utf8')
    writeFileSync(join(programs, 'agent.mjs.previous'), 'process.stdout.write("the one before")\n')
    writeFileSync(join(programs, 'agent.mjs'), 'process.exit(3)\n')
    const starts = Array.from({ length: 4 }, () => spawnSync(join(programs, 'run'), ['run'], { encoding: 'utf8' }))
    expect(starts.map(({ status }) => status)).toEqual([3, 3, 3, 0])
    expect(starts.at(-1)?.stdout).toBe('the one before')
    expect(existsSync(join(programs, 'agent.mjs.previous'))).toBe(false)
    writeFileSync(join(programs, 'agent.mjs'), working)

    const before = identity().id
    writeFileSync(join(temporary.path, 'host/usr/lib/logstack-agent/agent.mjs'), 'broken')
    const repaired = await install('host', '--force', '--token', await makeToken())
    expect(repaired.code).toBe(0)
    expect(identity().id).not.toBe(before)
    expect(search.indices.get('.logstack-agents')?.has(before)).toBe(false)
    expect(readFileSync(join(temporary.path, 'host/usr/lib/logstack-agent/agent.mjs'), 'utf8')).not.toBe('broken')

    const elsewhere = JSON.stringify({ ...identity(), url: 'https://192.0.2.9:8220' })
    writeFileSync(join(data, 'identity.json'), elsewhere)
    const moved = await install('host', '--token', await makeToken())
    expect(moved).toMatchObject({ code: 1, output: expect.stringContaining('enrolled with another server') })
    expect(moved.output).toContain('--force')

    expect((await install('host', '--uninstall')).code).toBe(0)
    expect(existsSync(join(temporary.path, 'host/usr/lib/logstack-agent'))).toBe(false)
    expect(existsSync(join(data, 'identity.json'))).toBe(false)
  })
})

describe('a host without Node.js', () => {
  it.skipIf(!hasTools)('gets an executable, keeps it at --force, and is taken away', async () => {
    const path = hostWithoutNode()
    const first = await installWith(path, 'bare', '--token', await makeToken())
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('installed') })
    const programs = join(temporary.path, 'bare/usr/lib/logstack-agent')
    expect(readFileSync(join(programs, 'logstack-agent'))).toEqual(executable)
    expect(existsSync(join(programs, 'agent.mjs'))).toBe(false)
    expect(spawnSync(join(programs, 'run'), ['--version'], { env: { PATH: path }, encoding: 'utf8' }).stdout).toMatch(
      /^\d/,
    )

    writeFileSync(join(programs, 'logstack-agent'), 'broken')
    const again = await installWith(path, 'bare', '--token', await makeToken(), '--force')
    expect(again.code).toBe(0)
    expect(readFileSync(join(programs, 'logstack-agent'))).toEqual(executable)

    expect((await installWith(path, 'bare', '--uninstall')).code).toBe(0)
    expect(existsSync(programs)).toBe(false)
  })

  it.skipIf(!hasTools)('refuses an executable that is not what the script expects', async () => {
    const packed = join(temporary.path, 'programs/agents/logstack-agent-linux-x64.gz')
    const others = packed.replace('x64', 'arm64')
    const whole = readFileSync(packed)
    for (const file of [packed, others]) appendFileSync(file, 'more')
    const changed = await installWith(join(temporary.path, 'few-tools'), 'changed-bare', '--token', await makeToken())
    for (const file of [packed, others]) writeFileSync(file, whole)
    expect(changed).toMatchObject({ code: 1, output: expect.stringContaining('not what the script expects') })
    expect(existsSync(join(temporary.path, 'changed-bare/var'))).toBe(false)
  })
})

describe('what the installer refuses', () => {
  it.skipIf(!hasTools)(
    'says what is wrong with a half installed agent, a bad token and a changed program',
    async () => {
      mkdirSync(join(temporary.path, 'half/usr/lib/logstack-agent'), { recursive: true })
      writeFileSync(join(temporary.path, 'half/usr/lib/logstack-agent/agent.mjs'), '')
      const half = await install('half', '--token', 'x')
      expect(half.code).toBe(1)
      expect(half.output).toContain('the agent is installed but broken')
      expect(half.output).toContain('--force')

      const units = join(temporary.path, 'stack/etc/systemd/system')
      mkdirSync(units, { recursive: true })
      const unit = 'ExecStart=/usr/bin/env node /opt/logstack-install/dist/agent.mjs run\n'
      writeFileSync(join(units, 'logstack-agent.service'), unit)
      for (const argument of ['--force', '--uninstall']) {
        const own = await install('stack', argument)
        expect(own).toMatchObject({ code: 0, output: expect.stringContaining('belongs to the stack') })
        expect(readFileSync(join(units, 'logstack-agent.service'), 'utf8')).toBe(unit)
      }

      const refused = await install('refused', '--token', Buffer.from('no:token').toString('base64'))
      expect(refused.code).not.toBe(0)
      expect(existsSync(join(temporary.path, 'refused/var/lib/logstack-agent/identity.json'))).toBe(false)

      appendFileSync(join(temporary.path, 'programs/agent.mjs'), '\n// another one\n')
      const changed = await install('changed', '--token', await makeToken())
      expect(changed.code).toBe(1)
      expect(changed.output).toContain('not what the script expects')
    },
  )
})
