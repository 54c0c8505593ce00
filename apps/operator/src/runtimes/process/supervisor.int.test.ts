import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { containerName, parts } from '@logstack/contracts'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { embeddedPaths, logFileOf, type Paths } from '../../places/paths.ts'
import { embeddedPorts } from '../../places/ports.ts'
import { identifyProcess, isRunning } from '../../places/process-identity.ts'
import { agentName } from '../../places/process-names.ts'
import {
  readSupervisorState,
  reapOrphans,
  runningSupervisor,
  writeSupervisorState,
} from '../../places/supervisor-state.ts'
import { startInOrder } from '../start-order.ts'
import type { ChildSpec } from './child-spec.ts'
import { ProcessRuntime } from './process-runtime.ts'
import { Supervisor } from './supervisor.ts'

// A part in small: says when it starts, is ready after a moment, says when it stops.
const program = `
const fs = require('node:fs')
const say = (what) => fs.appendFileSync(process.env.JOURNAL, what + ' ' + process.env.NAME + '\\n')
say('start')
console.log('secret ' + fs.readFileSync(process.env.SECRETS + '/token', 'utf8'))
setTimeout(() => { say('ready'); fs.writeFileSync(process.env.READY, '') }, 50)
process.on('SIGTERM', () => { say('stop'); process.exit(0) })
setInterval(() => {}, 1000)
`

let temporary: TempDir
let paths: Paths
let supervisor: Supervisor
let runtime: ProcessRuntime
let journal: string
let scripts: Map<string, string>
let healthy: boolean

beforeEach(async () => {
  temporary = tempDir('logstack-supervisor')
  paths = embeddedPaths(temporary.path, '/nonexistent')
  journal = join(temporary.path, 'journal')
  writeFileSync(journal, '')
  scripts = new Map()
  healthy = true
  supervisor = new Supervisor({
    runDir: paths.runDir,
    probe: async () => (healthy ? undefined : 'answers 503'),
    readSecret: (name) => `value of ${name}`,
    names: [...parts.map(containerName), agentName],
    logFileOf: (name) => logFileOf(paths, name),
    specOf,
  })
  await supervisor.listen()
  runtime = new ProcessRuntime(paths, embeddedPorts({ offset: 0, ipvar: '' }))
})

afterEach(async () => {
  await supervisor.shutdown()
  temporary.remove()
})

function specOf(name: string, secretsDir: string): ChildSpec {
  const readyFile = join(paths.runDir, name, 'ready')
  return {
    name,
    argv: [process.execPath, '-e', scripts.get(name) ?? program],
    cwd: temporary.path,
    env: { JOURNAL: journal, NAME: name, SECRETS: secretsDir, READY: readyFile },
    logFile: logFileOf(paths, name),
    readyFile,
    secrets: ['token'],
    health:
      name === 'logstack-search'
        ? { url: 'https://127.0.0.1', intervalMs: 50, timeoutMs: 1000, retries: 2, startPeriodMs: 0 }
        : undefined,
    restart: { firstMs: 20, maxMs: 100, steps: 4 },
    stopTimeoutMs: 5_000,
  }
}

const said = (): string[] => readFileSync(journal, 'utf8').trim().split('\n')
const statusOf = async (part: string) => (await runtime.list()).find((status) => status.part === part)

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(20)
}

it('starts each group after the one before is ready, and stops in reverse order', async () => {
  await startInOrder(runtime, parts)
  const lines = said()
  expect(lines.slice(0, 2)).toEqual(['start logstack-search', 'ready logstack-search'])
  expect(lines.slice(2, 8).filter((line) => line.startsWith('start'))).toHaveLength(3)
  expect(lines.slice(-2)).toEqual(['start logstack-agent-server', 'ready logstack-agent-server'])
  await runtime.startNamed(agentName)
  expect((await runtime.children()).map((child) => child.name)).toContain(agentName)
  expect((await runtime.list()).map((status) => status.statusText)).toEqual([
    expect.stringMatching(/^Up (Less than a second|\d+ seconds?) \(healthy\)$/),
    ...Array.from({ length: 4 }, () => expect.stringMatching(/^Up (Less than a second|\d+ seconds?)$/)),
  ])
  await until(() => said().includes('ready logstack-agent'))
  await runtime.shutdown()
  const stops = said().filter((line) => line.startsWith('stop'))
  expect(stops.slice(0, 2)).toEqual(['stop logstack-agent', 'stop logstack-agent-server'])
  expect(stops.at(-1)).toBe('stop logstack-search')
  expect(stops).toHaveLength(6)
  expect(await runtime.list()).toEqual(parts.map((part) => expect.objectContaining({ part, state: 'absent' })))
})

it('starts a killed part again by itself', async () => {
  await startInOrder(runtime, ['search'])
  const before = await statusOf('search')
  process.kill(before?.pid ?? 0, 'SIGKILL')
  await until(async () => {
    const now = await statusOf('search')
    return now?.ready === true && now.pid !== before?.pid
  })
  expect(said().filter((line) => line === 'start logstack-search')).toHaveLength(2)
})

it('says why a part does not start', async () => {
  scripts.set('logstack-search', `console.log('{"level":"fatal","msg":"the catalogue is damaged"}'); process.exit(3)`)
  await expect(startInOrder(runtime, ['search'])).rejects.toMatchObject({
    code: 'part_failed',
    message: 'logstack-search does not start: the catalogue is damaged',
    fix: expect.stringContaining('./logstack logs search'),
  })
  await until(async () => /^Exited \(3\) .* ago$/.test((await statusOf('search'))?.statusText ?? ''))
  scripts.delete('logstack-search')
  await startInOrder(runtime, ['search'])
})

it('does not count against a part that was mended the start that was under way', async () => {
  const mended = join(temporary.path, 'mended')
  // Fails three times; the fourth has read the old settings and fails a little later.
  scripts.set(
    'logstack-search',
    `const fs = require('node:fs')
    fs.appendFileSync(process.env.JOURNAL, 'failing start\\n')
    if (fs.readFileSync(process.env.JOURNAL, 'utf8').split('failing').length <= 4) process.exit(3)
    setInterval(() => { if (fs.existsSync(${JSON.stringify(mended)})) process.exit(3) }, 10)`,
  )
  await expect(startInOrder(runtime, ['search'])).rejects.toMatchObject({ code: 'part_failed' })
  await until(() => said().filter((line) => line === 'failing start').length === 4)
  scripts.delete('logstack-search')
  await runtime.start('search')
  writeFileSync(mended, '')
  await startInOrder(runtime, ['search'])
  expect((await statusOf('search'))?.ready).toBe(true)
})

it('shows a part unhealthy when its check fails, and healthy when it answers again', async () => {
  await startInOrder(runtime, ['search'])
  healthy = false
  await until(async () => (await statusOf('search'))?.health === 'unhealthy')
  expect(await statusOf('search')).toMatchObject({
    ready: false,
    statusText: expect.stringContaining('(unhealthy)'),
    lastWords: 'answers 503',
  })
  healthy = true
  await until(async () => (await statusOf('search'))?.ready === true)
})

it('gives secrets as files in memory only it can read, and removes them', async () => {
  await startInOrder(runtime, ['search'])
  const root = readSupervisorState(paths)?.secretsRoot ?? ''
  const dir = join(root, 'logstack-search')
  expect(readdirSync(dir)).toEqual(['token'])
  expect([root, dir].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
  expect(statSync(join(dir, 'token')).mode & 0o777).toBe(0o600)
  const lines: string[] = []
  for await (const line of runtime.logs('search', { lines: 10, follow: false })) lines.push(line)
  expect(lines).toEqual(['secret value of token'])
  await runtime.shutdown()
  expect(existsSync(root)).toBe(false)
  expect(readSupervisorState(paths)).toBeUndefined()
})

it('follows a log, also while it is being written', async () => {
  scripts.set('logstack-search', `let n = 0; setInterval(() => console.log('line ' + n++), 20); ${program}`)
  await startInOrder(runtime, ['search'])
  const abort = new AbortController()
  const lines: string[] = []
  for await (const line of runtime.logs('search', { lines: 0, follow: true, signal: abort.signal })) {
    if (line.startsWith('line')) lines.push(line)
    if (lines.length === 5) abort.abort()
  }
  const numbers = lines.map((line) => Number(line.replace('line ', '')))
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
})

it('answers nobody after shutdown, with the error of a stack that does not run', async () => {
  await runtime.shutdown()
  await expect(runtime.start('search')).rejects.toMatchObject({ code: 'not_running' })
})

it('ends what a killed supervisor left behind', async () => {
  await startInOrder(runtime, ['search', 'alerter'])
  const state = readSupervisorState(paths)
  if (!state) throw new Error('no state')
  expect(state.children.map((child) => child.name).sort()).toEqual(['logstack-alerter', 'logstack-search'])
  expect(runningSupervisor(paths)?.supervisor.pid).toBe(process.pid)
  expect(await reapOrphans(paths)).toEqual([])
  // As if the supervisor had died: its place is taken by a process that never ran.
  const orphan = identifyProcess(state.children[0]?.pid ?? 0)
  await supervisor.handle({ do: 'stop', name: 'logstack-alerter' })
  writeSupervisorState(paths, { ...state, supervisor: { pid: 2 ** 22 + 1, startTicks: 1 } })
  expect(await reapOrphans(paths)).toEqual(['logstack-search'])
  expect(orphan && isRunning(orphan)).toBe(false)
  expect(existsSync(state.secretsRoot ?? '')).toBe(false)
})

it('starts and stops processes while its state cannot be written', async () => {
  const file = join(paths.runDir, 'supervisor.json')
  rmSync(file)
  mkdirSync(file)
  await startInOrder(runtime, ['search'])
  expect(supervisor.list().find(({ name }) => name === 'logstack-search')?.identity).toBeDefined()
  await supervisor.handle({ do: 'stop', name: 'logstack-search' })
  expect(supervisor.list().find(({ name }) => name === 'logstack-search')?.identity).toBeUndefined()
  rmdirSync(file)
})
