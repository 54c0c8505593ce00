import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { startSearch, type TempDir, type TestSearch, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireClient } from '../testing/https-client.ts'
import { comparable, type Flat } from './filebeat-documents.testing.ts'
import { authorityFile, observer, runClient } from './run-client.testing.ts'

// Filebeat puts its modules' pipelines here and sends the logs of the modules' own tests through them; what they must become lies beside the logs.
const program = process.env['LOGSTACK_FILEBEAT'] ?? ''
const modules = join(dirname(program), 'module')
/** Lines of a log that are sent: the longest have thousands. */
const lines = Number(process.env['LOGSTACK_FILEBEAT_LINES'] ?? 25)
const skip = existsSync(program)
  ? samples().length > 0
    ? false
    : 'there are no modules with tests beside LOGSTACK_FILEBEAT'
  : 'LOGSTACK_FILEBEAT names no filebeat'

/**
 * What is otherwise here: a format that the fileset is not told of, a text of a map whose members have another order, a provider that the first
 * pattern of the pipeline finds, and durations of floats that no float holds.
 */
const otherwise = new Set([
  'elasticsearch/gc/test-docker.log',
  'logstash/log/logstash-json.log',
  'mysql/error/mariadb-10.4.8.log',
  'mysql/slowlog/mariadb-10.2.12.log',
  'mysql/slowlog/percona-ubuntu-5.7.19-innodb.log',
])

const index = 'filebeat-modules'
const limitMs = 1_200_000

let search: TestSearch
let client: WireClient
let scratch: TempDir

/** A log of a module's tests. */
interface Sample {
  readonly module: string
  readonly fileset: string
  readonly file: string
  /** Whether its module must be told that it is JSON. */
  readonly json: boolean
}

function samples(): Sample[] {
  if (!existsSync(modules)) return []
  return readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/]+\/[^/]+\/test\/[^/]+\.log$/u.test(path))
    .map((path) => join(modules, path))
    .filter((file) => existsSync(`${file}-expected.json`))
    .map((file) => {
      const [module = '', fileset = ''] = relative(modules, file).split('/')
      return { module, fileset, file, json: file.includes('-json') }
    })
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

const shortened = new Set<string>()

/** The first lines of a log in a file of its own, which Filebeat is told to read. */
function cut(file: string): string {
  const copy = join(scratch.path, 'logs', relative(modules, file))
  mkdirSync(dirname(copy), { recursive: true })
  const all = readFileSync(file, 'latin1').split('\n')
  const isCut = all.length > lines + 1
  writeFileSync(copy, isCut ? `${all.slice(0, lines).join('\n')}\n` : all.join('\n'), 'latin1')
  if (isCut) shortened.add(file)
  return copy
}

/** A configuration that reads these logs to their ends. */
function configuration(wanted: readonly Sample[]): object[] {
  return [...new Set(wanted.map(({ module }) => module))].map((module) => {
    const filesets = readdirSync(join(modules, module)).filter((name) =>
      existsSync(join(modules, module, name, 'manifest.yml')),
    )
    const entries = filesets.map((fileset) => {
      const own = wanted.filter((sample) => sample.module === module && sample.fileset === fileset)
      const [first] = own
      if (!first) return [fileset, { enabled: false }]
      const format = first.json ? { format: 'json' } : {}
      const options = { paths: own.map(({ file }) => cut(file)), input: 'file', ...format }
      return [fileset, { enabled: true, var: options, input: { close_eof: true } }]
    })
    return { module, ...Object.fromEntries(entries) }
  })
}

async function filebeat(name: string, settings: object, ...argv: string[]): Promise<void> {
  const home = join(scratch.path, name)
  mkdirSync(home)
  symlinkSync(modules, join(home, 'module'))
  const whole = {
    ...settings,
    'setup.ilm.enabled': false,
    'setup.template': { name: index, pattern: `${index}*` },
    'timestamp.precision': 'nanosecond',
    'output.elasticsearch': {
      hosts: [search.url],
      index,
      username: search.username,
      password: search.password,
      'ssl.certificate_authorities': [await authorityFile()],
    },
    'logging.to_stderr': true,
  }
  writeFileSync(join(home, 'filebeat.yml'), JSON.stringify(whole), { mode: 0o600 })
  const command = [program, ...argv, '--path.home', home, '-c', 'filebeat.yml']
  // The hours of the zone show whether pipelines heed it.
  const { code, stderr } = await runClient(command, { env: { TZ: 'Etc/GMT+2' }, limitMs })
  expect(code, stderr.slice(-4_000)).toBe(0)
}

async function documents(file: string): Promise<Record<string, unknown>[]> {
  const body = { query: { term: { 'log.file.path': file } }, size: 100, sort: { 'log.offset': { order: 'asc' } } }
  const answer = (await client.send(`/${index}/_search`, { method: 'POST', body })).json() as {
    readonly hits: { readonly hits: readonly { readonly _source: Record<string, unknown> }[] }
  }
  return answer.hits.hits.map(({ _source }) => _source)
}

describe.skipIf(skip)(`Filebeat's modules${skip ? ` (${skip})` : ''}`, { timeout: limitMs }, () => {
  beforeAll(async () => {
    if (skip) return
    search = await startSearch()
    client = observer(search)
    scratch = tempDir('logstack-filebeat-modules')
  })
  afterAll(async () => {
    client?.close()
    await search?.stop()
    scratch?.remove()
  })

  it('load their pipelines', async () => {
    const names = readdirSync(modules).join(',')
    await filebeat('setup', {}, 'setup', '--pipelines', '--force-enable-module-filesets', '--modules', names)
    const found = (await client.send('/_ingest/pipeline?summary=true')).json() as object
    const filesets = new Set(samples().map(({ module, fileset }) => `${module}-${fileset}`))
    const missing = [...filesets].filter((name) => !Object.keys(found).some((id) => id.includes(`-${name}-`)))
    expect(missing).toEqual([])
  })

  it('make of their logs what they make of them elsewhere', async () => {
    for (const json of [false, true]) {
      const wanted = samples().filter((sample) => sample.json === json)
      await filebeat(json ? 'json' : 'text', { 'filebeat.modules': configuration(wanted) }, '--once')
    }
    await client.send(`/${index}/_refresh`, { method: 'POST' })
    const found: Record<string, Flat[]> = {}
    const expected: Record<string, Flat[]> = {}
    for (const { module, fileset, file } of samples()) {
      const name = `${module}/${fileset}/${basename(file)}`
      if (otherwise.has(name)) continue
      const own = await documents(join(scratch.path, 'logs', relative(modules, file)))
      const all = JSON.parse(readFileSync(`${file}-expected.json`, 'utf8')) as Record<string, unknown>[]
      // The event that a log was cut in may be part of one.
      const whole = shortened.has(file) ? Math.max(0, Math.min(own.length - 1, all.length)) : all.length
      found[name] = own.slice(0, whole).map((one) => comparable(one, name))
      expected[name] = all.slice(0, whole).map((one) => comparable(one, name))
    }
    expect(Object.values(found).flat().length).toBeGreaterThan(samples().length)
    expect(found).toEqual(expected)
  })
})
