import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultDataDir, findDataDir, rememberStack, runningStacks } from './data-dir.ts'
import { identifyProcess } from './process-identity.ts'
import { removeSupervisorState, writeSupervisorState } from './supervisor-state.ts'

let temporary: TempDir
let env: Record<string, string>

beforeEach(() => {
  temporary = tempDir('logstack-data-dir')
  env = { XDG_DATA_HOME: join(temporary.path, 'share'), XDG_STATE_HOME: join(temporary.path, 'state') }
})
afterEach(() => temporary.remove())

function startFake(name: string): string {
  const dataDir = join(temporary.path, name)
  const supervisor = identifyProcess(process.pid) ?? { pid: process.pid }
  const state = { supervisor, socket: '', secretsRoot: undefined, children: [] }
  writeSupervisorState({ runDir: join(dataDir, 'run') }, state)
  rememberStack(dataDir, env)
  return dataDir
}

it('is the named one, by option before environment', () => {
  expect(findDataDir('/a', { ...env, LOGSTACK_DATA: '/b' })).toBe('/a')
  expect(findDataDir(undefined, { ...env, LOGSTACK_DATA: '/b' })).toBe('/b')
})

it('is the default one when nothing runs, or when it runs itself', () => {
  expect(findDataDir(undefined, env)).toBe(join(temporary.path, 'share/logstack'))
  startFake('other')
  const byDefault = startFake('share/logstack')
  expect(byDefault).toBe(defaultDataDir(env))
  expect(findDataDir(undefined, env)).toBe(byDefault)
})

it('is the only one that runs; of several one must be named', () => {
  const first = startFake('first')
  expect(findDataDir(undefined, env)).toBe(first)
  const second = startFake('second')
  expect(() => findDataDir(undefined, env)).toThrow(`2 stacks are running: ${first}, ${second}`)
  removeSupervisorState({ runDir: join(second, 'run') })
  expect(findDataDir(undefined, env)).toBe(first)
  expect(runningStacks(env)).toEqual([first])
})
