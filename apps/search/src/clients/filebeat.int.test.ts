import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSearch, type TempDir, type TestSearch, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireClient } from '../testing/https-client.ts'
import { authorityFile, observer, runClient } from './run-client.testing.ts'

// Filebeat sets its lifecycle policy, template and data stream up and sends lines of a file. No registry has it as a program.
const program = process.env['LOGSTACK_FILEBEAT'] ?? ''
const skip = existsSync(program) ? false : 'LOGSTACK_FILEBEAT names no filebeat'

let search: TestSearch
let client: WireClient
let scratch: TempDir

beforeAll(async () => {
  if (skip) return
  search = await startSearch()
  client = observer(search)
  scratch = tempDir('logstack-filebeat')
  mkdirSync(join(scratch.path, 'logs'))
  const configuration = {
    'filebeat.inputs': [{ type: 'filestream', id: 'tried', paths: [join(scratch.path, 'logs/*.log')] }],
    'output.elasticsearch': {
      hosts: [search.url],
      username: search.username,
      password: search.password,
      'ssl.certificate_authorities': [await authorityFile()],
    },
    'logging.to_stderr': true,
  }
  writeFileSync(join(scratch.path, 'filebeat.yml'), JSON.stringify(configuration), { mode: 0o600 })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
  scratch?.remove()
})

const filebeat = (...argv: string[]): string[] => [program, ...argv, '--path.home', scratch.path, '-c', 'filebeat.yml']
const messages = Array.from({ length: 1_500 }, (_, at) => `line ${at} of "the file" größer \\ ${'x'.repeat(at % 90)}`)

interface Events {
  readonly hits: {
    readonly hits: readonly {
      readonly _source: { readonly message: string; readonly log: { readonly offset: number } }
    }[]
  }
}

async function arrived(version: string): Promise<Events> {
  const body = { size: 10_000, sort: [{ 'log.offset': 'asc' }] }
  return (await client.send(`/filebeat-${version}/_search`, { method: 'POST', body })).json() as Events
}

describe.skipIf(skip)(`Filebeat${skip ? ` (${skip})` : ''}`, () => {
  let version: string

  beforeAll(async () => {
    const { stdout } = await runClient([program, 'version'])
    version = /filebeat version (\S+)/u.exec(stdout)?.[1] ?? stdout
  })

  it('finds the output good', async () => {
    const { code, stdout, stderr } = await runClient(filebeat('test', 'output'))
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('talk to server... OK')
  })

  it('sets up its policy, its template and its data stream', async () => {
    const { code, stderr } = await runClient(filebeat('setup', '--index-management'))
    expect(code, stderr).toBe(0)
    expect((await client.send('/_ilm/policy/filebeat')).json()).toMatchObject({
      filebeat: { policy: { phases: { hot: { actions: { rollover: { max_age: '30d' } } } } } },
    })
    expect((await client.send(`/_index_template/filebeat-${version}`)).json()).toMatchObject({
      index_templates: [{ name: `filebeat-${version}`, index_template: { data_stream: {} } }],
    })
    expect((await client.send(`/_data_stream/filebeat-${version}`)).json()).toMatchObject({
      data_streams: [{ name: `filebeat-${version}`, ilm_policy: 'filebeat' }],
    })
  })

  it('delivers each line once, those that come later, too', async () => {
    const file = join(scratch.path, 'logs/tried.log')
    const write = (from: number, to: number): void =>
      appendFileSync(
        file,
        messages
          .slice(from, to)
          .map((line) => `${line}\n`)
          .join(''),
      )
    write(0, 1_000)
    const [command = '', ...argv] = filebeat()
    const running = spawn(command, argv, { stdio: 'ignore' })
    try {
      await expect.poll(async () => (await arrived(version)).hits.hits.length).toBe(1_000)
      write(1_000, messages.length)
      await expect.poll(async () => (await arrived(version)).hits.hits.length).toBe(messages.length)
    } finally {
      running.kill('SIGINT')
      await once(running, 'exit')
    }
    const found = await arrived(version)
    expect(found.hits.hits.map(({ _source }) => _source.message)).toEqual(messages)
    const fields = (await client.send(`/filebeat-${version}/_field_caps?fields=log.offset,message`)).json()
    expect(fields).toMatchObject({ fields: { 'log.offset': { long: {} }, message: { text: {} } } })
  })
})
