import { describe, expect, it } from 'vitest'
import { evaluate } from './index.ts'
import { compareVersions } from './version.ts'

describe('versions', () => {
  it('are in the order of their numbers, pre-releases first and what is none last', () => {
    const ordered = [
      '1.0',
      '1.2.0',
      '1.9.0',
      '1.10.0-9',
      '1.10.0-10',
      '1.10.0-alpha.1',
      '1.10.0-alpha.beta',
      '1.10.0',
      '1.10.0+build',
      '2.0.0',
      'not.a.version',
    ]
    expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered)
  })

  it('lie within bounds as versions', () => {
    const field = { path: 'v', type: 'string' } as const
    const newer = (v: string, versions?: true) =>
      evaluate({ op: 'range', field, bounds: { gt: '1.9.0', ...(versions && { versions }) } }, { v })
    expect([newer('1.10.0', true), newer('1.8.7', true), newer('1.10.0')]).toEqual([true, false, false])
  })
})
