import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions } from './package-versions.ts'

const hasDpkg = spawnSync('dpkg', ['--version']).status === 0
const part = fc.array(fc.constantFrom('0', '1', '9', '10', 'a', 'z', 'A', '.', '+', '~', '007'), {
  minLength: 0,
  maxLength: 5,
})
const version = fc
  .tuple(
    fc.constantFrom('', '0:', '1:'),
    fc.constantFrom('0', '1', '12'),
    part,
    fc.constantFrom('', '-0', '-1', '-1~', '-2+b1', '-x'),
  )
  .map(([epoch, first, rest, revision]) => `${epoch}${first}${rest.join('')}${revision}`)

describe.runIf(hasDpkg)('versions of dpkg', () => {
  it('compare as dpkg itself says', () => {
    fc.assert(
      fc.property(version, version, (left, right) => {
        const order = Math.sign(compareVersions.dpkg(left, right))
        const said = spawnSync('dpkg', ['--compare-versions', left, ['lt', 'eq', 'gt'][order + 1] ?? '', right])
        expect([left, right, said.status, String(said.stderr)]).toEqual([left, right, 0, ''])
      }),
      { numRuns: 300 },
    )
  })
})
