import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serviceAccounts } from '@logstack/contracts'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../quadlet/load.ts'
import type { Runtime } from '../runtimes/runtime.ts'
import { openStack, type Stack } from '../stack.ts'
import { runStep, testStack } from '../testing/test-stack.ts'
import { adminDropIn } from './admin-drop-in.ts'
import { dataTree } from './data-tree.ts'
import { environmentFile } from './environment-file.ts'
import { markerProblem, writeMarker } from './marker.ts'
import { secrets } from './secrets.ts'
import { importedFileOf, writeImported } from './shipped-objects.ts'

let test: ReturnType<typeof testStack>
beforeEach(() => {
  test = testStack()
})
afterEach(() => test.remove())

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('data tree', () => {
  it('is made once, and an edited copy is never overwritten', async () => {
    const { stack } = test
    expect(await runStep(dataTree, stack)).toBe(true)
    expect([stack.paths.vaultDir, stack.paths.runDir].map(modeOf)).toEqual([0o700, 0o700])
    const copy = join(stack.paths.configDir, 'alerter.yml')
    writeFileSync(copy, '# mine\n')
    expect(await runStep(dataTree, stack)).toBe(false)
    rmSync(stack.paths.logDir, { recursive: true })
    expect(await runStep(dataTree, stack)).toBe(true)
    expect(readFileSync(copy, 'utf8')).toBe('# mine\n')
  })
})

describe('data tree of an installation', () => {
  it('is open to the users of the parts and to people, whatever the umask of who cloned or installed before', async () => {
    const { paths } = test.stack
    const checkout = tempDir('closed checkout')
    const programDir = checkout.path
    for (const folder of ['config', 'rules', 'quadlet'])
      cpSync(join(paths.programDir, folder), join(programDir, folder), { recursive: true })
    chmodSync(join(programDir, 'config/search.yml'), 0o600)
    const certificates = dirname(paths.caFile)
    mkdirSync(certificates, { recursive: true, mode: 0o700 })
    const runtime = { kind: 'podman' } as Runtime
    const stack: Stack = { ...openStack({ dataDir: paths.root, programDir }), runtime }
    expect(await runStep(dataTree, stack)).toBe(true)
    const settings = join(paths.configDir, 'search.yml')
    expect([settings, dirname(certificates), certificates].map(modeOf)).toEqual([0o644, 0o755, 0o755])
    expect(await runStep(dataTree, stack)).toBe(false)
    checkout.remove()
  })

  it("of a user's own stack stays as closed as the user made it", async () => {
    const { stack } = test
    await runStep(dataTree, stack)
    chmodSync(dirname(stack.paths.caFile), 0o700)
    expect(await runStep(dataTree, stack)).toBe(false)
  })
})

describe('environment file', () => {
  it('keeps what was chosen at the first start, and what a person added', async () => {
    const { paths } = test.stack
    await runStep(environmentFile, test.reopen({ ipvar: '192.0.2.1', portOffset: 700 }))
    expect(modeOf(paths.environmentFile)).toBe(0o600)
    writeFileSync(paths.environmentFile, `${readFileSync(paths.environmentFile, 'utf8')}HTTPS_PROXY=http://p\n`)
    const later = test.reopen()
    expect(later.choices).toMatchObject({ ipvar: '192.0.2.1', portOffset: 700, adminUser: 'elastic' })
    expect(await runStep(environmentFile, later)).toBe(false)
    expect(await runStep(environmentFile, test.reopen({ ipvar: '192.0.2.2' }))).toBe(true)
    expect(readFileSync(paths.environmentFile, 'utf8')).toBe(
      'IPVAR=192.0.2.2\nLOGSTACK_PORT_OFFSET=700\nLOGSTACK_ADMIN_USER=elastic\nHTTPS_PROXY=http://p\n',
    )
  })

  it('with another search in it forgets which dashboards were imported, and not when a cluster grew', async () => {
    await runStep(dataTree, test.stack)
    const become = async (searchUrl: string): Promise<boolean> => {
      const stack = test.reopen({ searchUrl })
      await runStep(environmentFile, stack)
      const remembers = existsSync(importedFileOf(stack, 'search'))
      writeImported(stack, 'search', new Map())
      return remembers
    }
    expect(await become('own')).toBe(false)
    expect(await become('https://one.example:9200')).toBe(false)
    expect(await become('https://two.example:9200,https://one.example:9200')).toBe(true)
    expect(await become('https://three.example:9200')).toBe(false)
    expect(await become('own')).toBe(false)
    expect(await become('own')).toBe(true)
  })

  it('refuses an offset that moves a port out of range', () => {
    expect(() => test.reopen({ portOffset: 60_000 })).toThrow(expect.objectContaining({ code: 'option_invalid' }))
  })
})

describe('secrets', () => {
  it('are one a user, different, and never made anew', async () => {
    const { stack } = test
    expect(await runStep(secrets, stack)).toBe(true)
    const names = stack.vault.names()
    expect(names).toEqual(['elastic', ...serviceAccounts.map((account) => account.username)].sort())
    expect(names.filter((name) => name.includes('elastic'))).toEqual(['elastic'])
    const before = names.map((name) => stack.vault.read(name))
    expect(new Set(before).size).toBe(names.length)
    rmSync(join(stack.paths.vaultDir, 'logstack_alerter'))
    expect(await runStep(secrets, stack)).toBe(true)
    expect(await runStep(secrets, stack)).toBe(false)
    const kept = names.filter((name) => name !== 'logstack_alerter')
    expect(kept.map((name) => stack.vault.read(name))).toEqual(kept.map((name) => before[names.indexOf(name)]))
  })

  it.each(['logstack', 'alerter', 'agents_ca', 'two words', '../x'])(
    'refuses the administrator name %s',
    async (adminUser) => {
      await expect(runStep(secrets, test.reopen({ adminUser }))).rejects.toMatchObject({ code: 'option_invalid' })
    },
  )
})

describe("administrator's name", () => {
  it('needs no drop-in when it is the shipped one, and one that replaces the secret otherwise', async () => {
    expect(await runStep(adminDropIn, test.stack)).toBe(false)
    const other = test.reopen({ adminUser: 'alice' })
    expect(await runStep(adminDropIn, other)).toBe(true)
    expect(loadDefinitions(other.paths).get('search')).toMatchObject({
      secrets: ['alice'],
      environment: expect.objectContaining({ LOGSTACK_ADMIN_USER: 'alice' }),
    })
    expect(await runStep(adminDropIn, test.stack), 'back to the shipped name').toBe(true)
    expect(loadDefinitions(other.paths).get('search')?.secrets).toEqual(['elastic'])
  })
})

describe('marker', () => {
  it('is an empty regular file that all may read', () => {
    const path = join(test.stack.paths.root, 'MARK')
    expect(markerProblem(path)).toBe('is missing')
    writeMarker(path)
    expect(markerProblem(path)).toBeUndefined()
    writeFileSync(path, 'x')
    expect(markerProblem(path)).toBe('is not empty')
    rmSync(path)
    mkdirSync(path)
    expect(markerProblem(path)).toBe('is not a regular file')
    rmSync(path, { recursive: true })
    writeFileSync(path, '', { mode: 0o600 })
    expect(markerProblem(path)).toBe('has mode 600 instead of 644')
  })
})
