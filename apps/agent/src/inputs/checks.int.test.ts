import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { type Check, checkFileSchema } from './checks/check.ts'
import { shippedChecks } from './checks/registry.ts'
import { runCheck } from './checks.ts'

const temporary = tempDir('logstack-checks')
const config = join(temporary.path, 'sshd_config')
writeFileSync(config, '# PermitRootLogin no\nPort 22\n  PermitRootLogin yes\n')
writeFileSync(join(temporary.path, 'tight'), '', { mode: 0o600 })
mkdirSync(join(temporary.path, 'empty'))

afterAll(() => temporary.remove())

const check = (conditions: Partial<Check>): Check => ({ id: 'x', title: 'x', why: 'x', fix: 'x', ...conditions })
const tight = join(temporary.path, 'tight')

describe('checks', () => {
  it.each<[string, Partial<Check>, string]>([
    ['a line that is there', { all: [{ lines_of: config, match: '^permitrootlogin\\s+yes' }] }, 'passed'],
    [
      'a line that must not be',
      { all: [{ lines_of: config, match: '^permitrootlogin\\s+yes', none: true }] },
      'failed',
    ],
    ['a comment is no line', { all: [{ lines_of: config, match: '^permitrootlogin\\s+no' }] }, 'failed'],
    ['no file, nothing forbidden', { all: [{ lines_of: '/no/such/file', match: 'x', none: true }] }, 'passed'],
    ['no file, something wanted', { all: [{ lines_of: '/no/such/file', match: 'x' }] }, 'failed'],
    ['no file, said to be fine', { all: [{ lines_of: '/no/such/file', match: 'x', without_file: true }] }, 'passed'],
    ['rights within the limit', { all: [{ file: tight, mode_max: '0640' }] }, 'passed'],
    ['rights beyond the limit', { all: [{ file: tight, mode_max: '0400' }] }, 'failed'],
    ['one of several', { any: [{ file: '/no/such/file' }, { file: tight }] }, 'passed'],
    ['none of several', { any: [{ file: '/no/such/file' }, { file: tight, absent: true }] }, 'failed'],
    ['a parameter nobody has', { all: [{ sysctl: 'no.such.parameter', is: '1' }] }, 'unknown'],
  ])('%s', async (_, conditions, result) => {
    expect((await runCheck(check(conditions))).result).toBe(result)
  })

  it('say what they saw', async () => {
    const found = await runCheck(check({ all: [{ lines_of: config, match: 'root', none: true }] }))
    expect(found.evidence).toBe(`${config}: PermitRootLogin yes`)
  })
})

describe('shipped sets', () => {
  it.each(shippedChecks)('$policy has the form of a policy file and names each check once', (set) => {
    expect(() => checkFileSchema.parse(set)).not.toThrow()
    const ids = set.checks.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(set.checks.every(({ all, any }) => (all ?? any ?? []).length > 0)).toBe(true)
  })

  it('come to a result on this host', async () => {
    for (const { checks } of shippedChecks) {
      for (const each of checks) expect((await runCheck(each)).evidence, each.id).not.toBe('')
    }
  })
})
