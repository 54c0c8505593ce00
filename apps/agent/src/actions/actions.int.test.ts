import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentAction, AgentPolicy } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataPaths } from '../data-directory.ts'
import { HostIsolation } from '../isolation/host-isolation.ts'
import { ServerClient } from '../server-client.ts'
import type { ActionContext } from './action-type.ts'
import { Actions } from './actions.ts'
import { startTrial } from './upgrade.ts'

let temporary: TempDir
let file: string
let program: string
let client: ServerClient
const logger = createLogger('agent', 'silent')

/** A client whose downloads are these bytes. */
class Offering extends ServerClient {
  readonly #bytes: string
  constructor(bytes: string) {
    super({ url: 'https://127.0.0.1:9', ca: '' })
    this.#bytes = bytes
  }
  override async download(_path: string, target: string): Promise<void> {
    writeFileSync(target, this.#bytes)
  }
}

beforeEach(() => {
  temporary = tempDir('logstack-actions')
  file = join(temporary.path, 'actions.json')
  program = join(temporary.path, 'agent.mjs')
  writeFileSync(program, 'old')
  writeFileSync(join(temporary.path, 'run'), '')
  client = new Offering('new')
})

afterEach(() => {
  client.close()
  temporary.remove()
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const action = (type: string, data: Record<string, unknown> = {}, id: string = type): AgentAction => ({
  id,
  agent_id: 'a',
  created_at: '2026-01-01T00:00:00Z',
  type,
  data,
})

function context(collect_paths: string[] = []): ActionContext {
  const policy: AgentPolicy = { id: 'p', revision: 1, outputs: {}, inputs: [], fleet: { hosts: [] }, collect_paths }
  const isolation = new HostIsolation(dataPaths(temporary.path), () => [])
  return { logger, client, policy, program, isolation, signal: new AbortController().signal }
}

async function outcomeOf(type: string, data: Record<string, unknown> = {}, collectPaths: string[] = []) {
  const actions = new Actions(file, program)
  await actions.perform(action(type, data), context(collectPaths))
  return actions.untold[0]
}

it('does an action once, however often it is handed out, and keeps the outcome until it was heard', async () => {
  const first = new Actions(file, program)
  expect(await first.perform(action('RESTART'), context())).toBe('work')
  expect(await first.perform(action('RESTART'), context())).toBeUndefined()
  const next = new Actions(file, program)
  expect(await next.perform(action('RESTART'), context())).toBeUndefined()
  expect(next.untold).toMatchObject([{ id: 'RESTART', state: 'ended' }])
  next.told('RESTART')
  expect(new Actions(file, program).untold).toEqual([])
})

it('says of an action during which it was killed that it is not done', () => {
  writeFileSync(file, JSON.stringify({ version: 1, outcomes: [{ id: 'x', state: 'begun', message: '' }] }))
  expect(new Actions(file, program).untold).toMatchObject([{ id: 'x', error: 'the agent ended while it was at it' }])
})

it('answers actions that it does not know, and data that is not what they need', async () => {
  expect(await outcomeOf('DANCE')).toMatchObject({ error: 'this agent does not know actions of type DANCE' })
  expect(await fresh(() => outcomeOf('SETTINGS', { log_level: 'shout' }))).toMatchObject({
    error: expect.stringContaining('log_level'),
  })
})

it('logs as much as it is told to', async () => {
  expect(await outcomeOf('SETTINGS', { log_level: 'debug' })).toMatchObject({ message: 'logging from debug on' })
  expect(logger.level).toBe('debug')
  logger.level = 'silent'
})

it('collects the end of a file that the policy allows, wherever links lead, and nothing else', async () => {
  const logs = join(temporary.path, 'log')
  mkdirSync(join(logs, 'app'), { recursive: true })
  writeFileSync(join(logs, 'app/a.log'), 'first\nlast\n')
  writeFileSync(join(temporary.path, 'secret'), 'secret')
  symlinkSync(join(temporary.path, 'secret'), join(logs, 'innocent.log'))
  const collect = (path: string, allowed = `${logs}/**`) => outcomeOf('COLLECT_FILE', { path, bytes_max: 5 }, [allowed])
  const whole = await collect(join(logs, 'app/a.log'))
  expect(whole?.data).toMatchObject({
    bytes: 5,
    size_bytes: 11,
    content_base64: Buffer.from('last\n').toString('base64'),
  })
  for (const path of [join(logs, 'innocent.log'), join(logs, '../secret'), '/etc/shadow']) {
    expect(await fresh(() => collect(path))).toMatchObject({ error: expect.stringContaining('does not allow') })
  }
  expect(await fresh(() => collect(join(logs, 'app')))).toMatchObject({ error: expect.stringContaining('is no file') })
  const oneFolder = await fresh(() => collect(join(logs, 'app/a.log'), `${logs}/*`))
  expect(oneFolder).toMatchObject({ error: expect.stringContaining('does not allow') })
})

async function fresh<T>(run: () => Promise<T>): Promise<T> {
  writeFileSync(file, JSON.stringify({ version: 1, outcomes: [] }))
  return run()
}

it('goes on as the program that is handed out, and keeps the one before until the new one has checked in', async () => {
  const before = new Actions(file, program)
  expect(await before.perform(action('UPGRADE', { sha256: hashOf('new') }), context())).toBe('program')
  expect(readFileSync(program, 'utf8')).toBe('new')
  expect(readFileSync(`${program}.previous`, 'utf8')).toBe('old')
  const after = new Actions(file, program)
  expect(after.untold).toMatchObject([{ id: 'UPGRADE', message: 'the new program checked in' }])
  expect(after.untold[0]).not.toHaveProperty('error')
  startTrial(program, () => expect.unreachable()).passed()
  expect(() => readFileSync(`${program}.previous`)).toThrow('ENOENT')
})

it('puts the one before back when the new one does not check in, and says so', async () => {
  await new Actions(file, program).perform(action('UPGRADE', { sha256: hashOf('new') }), context())
  await new Promise<void>((resolve) => startTrial(program, resolve, 1))
  expect(readFileSync(program, 'utf8')).toBe('old')
  expect(new Actions(file, program).untold).toMatchObject([
    { id: 'UPGRADE', error: 'the new program did not check in; the one before is back' },
  ])
})

it('refuses a program that is not the announced one, and one that somebody else installs', async () => {
  expect(await outcomeOf('UPGRADE', { sha256: hashOf('another') })).toMatchObject({
    error: expect.stringContaining('not the one that was announced'),
  })
  expect(readFileSync(program, 'utf8')).toBe('old')
  program = join(temporary.path, 'stack/agent.mjs')
  mkdirSync(join(temporary.path, 'stack'))
  writeFileSync(program, 'old')
  const refused = await fresh(() => outcomeOf('UPGRADE', { sha256: hashOf('new') }))
  expect(refused).toMatchObject({ error: expect.stringContaining('was not installed by the line') })
})
