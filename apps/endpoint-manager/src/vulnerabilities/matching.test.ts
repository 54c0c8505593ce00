import type { Advisory } from '@logstack/contracts'
import { describe, expect, it } from 'vitest'
import { findingsOf } from './matching.ts'
import type { ScannedHost } from './scanned-hosts.ts'

function host(format: ScannedHost['format'], version: string): ScannedHost {
  const installed = { name: 'npm', version, parts: ['npm'], architecture: 'x86_64', type: format }
  return { distribution: 'any:1', format, about: { agent: {}, host: {} }, packages: [installed] }
}

function advisory(record: string, vulnerabilities: string[], ranges: Advisory['ranges']): Advisory {
  return {
    distribution: 'any:1',
    package: 'npm',
    record,
    vulnerabilities,
    ranges,
    severity: 'Unknown',
    summary: '',
    reference: '',
    import: '',
  }
}

const found = (it: ScannedHost, ...advisories: Advisory[]): string[] =>
  findingsOf(it, () => advisories).map(
    (each) => `${each.vulnerability} ${each.advisory.record} ${each.fixed ?? 'never'}`,
  )

describe('what of a host is vulnerable', () => {
  it('lies in one of the ranges', () => {
    const ranges = [
      { introduced: '1.5-1', fixed: '2.0-1' },
      { introduced: '3.0-1', last_affected: '3.1-1' },
      { introduced: '4.0-1' },
    ]
    const versions = ['1.4-9', '1.5-1', '2.0-1~rc1', '2.0-1', '3.0-1', '3.1-1', '3.1-2', '3.9', '4.0-1', '1:0']
    expect(versions.filter((each) => found(host('dpkg', each), advisory('a', ['CVE-1'], ranges)).length > 0)).toEqual([
      '1.5-1',
      '2.0-1~rc1',
      '3.0-1',
      '3.1-1',
      '4.0-1',
      '1:0',
    ])
  })

  it('of all versions there ever were is also that of an older epoch than nought', () => {
    expect(found(host('dpkg', '0~1'), advisory('a', ['CVE-1'], [{ introduced: '0' }]))).toEqual(['CVE-1 a never'])
  })

  it('is told once, by the advisory that asks for most', () => {
    const first = advisory('a', ['CVE-1', 'CVE-2'], [{ introduced: '0', fixed: '2-1' }])
    const second = advisory('b', ['CVE-1'], [{ introduced: '0', fixed: '3-1' }])
    const third = advisory('c', ['CVE-2'], [{ introduced: '0' }])
    const expected = ['CVE-1 b 3-1', 'CVE-2 c never']
    for (const order of [
      [first, second, third],
      [third, second, first],
    ])
      expect(found(host('dpkg', '1-1'), ...order).sort()).toEqual(expected)
  })

  it('of rpm is older than each build of the fix', () => {
    const ranges = ['1-2.module_el8.6', '1-1.module_el8.5'].map((fixed) => ({ introduced: '0', fixed }))
    const versions = ['1-0.module_el8.5', '1-1.module_el8.5', '1-1.module_el8.6', '1-2.module_el8.6']
    expect(versions.filter((each) => found(host('rpm', each), advisory('a', ['CVE-1'], ranges)).length > 0)).toEqual([
      '1-0.module_el8.5',
    ])
  })
})
