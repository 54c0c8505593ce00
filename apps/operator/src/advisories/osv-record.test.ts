import { describe, expect, it } from 'vitest'
import { advisoriesOf, type OsvRecord } from './osv-record.ts'

const every = (): boolean => true
const range = (...events: object[]) => [{ type: 'ECOSYSTEM', events }]

function record(given: Partial<OsvRecord>): OsvRecord {
  return { id: 'DEBIAN-CVE-2026-1000', details: 'A fault.', ...given }
}

describe('a record of OSV', () => {
  it('is one advisory for each package of each release that is wanted', () => {
    const affected = [
      {
        package: { ecosystem: 'Debian:12', name: 'openssl' },
        ranges: range({ introduced: '0' }, { fixed: '3.0.20-1' }),
      },
      { package: { ecosystem: 'Debian:13', name: 'openssl' }, ranges: range({ introduced: '0' }) },
      { package: { ecosystem: 'Alpine:v3.20', name: 'openssl' }, ranges: range({ introduced: '0' }) },
    ]
    const advisories = advisoriesOf(record({ affected, upstream: ['CVE-2026-1000'] }), (each) => each === 'debian:12')
    expect(advisories).toEqual([
      {
        distribution: 'debian:12',
        package: 'openssl',
        record: 'DEBIAN-CVE-2026-1000',
        vulnerabilities: ['CVE-2026-1000'],
        ranges: [{ introduced: '0', fixed: '3.0.20-1' }],
        severity: 'Unknown',
        summary: 'A fault.',
        reference: 'https://osv.dev/vulnerability/DEBIAN-CVE-2026-1000',
      },
    ])
  })

  it('has the ranges that its events enclose', () => {
    const ranges = range(
      { introduced: '1' },
      { fixed: '2' },
      { introduced: '3' },
      { last_affected: '4' },
      { introduced: '5' },
    )
    const affected = [{ package: { ecosystem: 'Debian:12', name: 'a' }, ranges }]
    expect(advisoriesOf(record({ affected }), every)[0]?.ranges).toEqual([
      { introduced: '1', fixed: '2' },
      { introduced: '3', last_affected: '4' },
      { introduced: '5' },
    ])
  })

  it('has all builds of a package in one advisory', () => {
    const built = (fixed: string) => ({
      package: { ecosystem: 'AlmaLinux:8', name: 'npm' },
      ranges: range({ introduced: '0' }, { fixed }),
    })
    const affected = [built('1:8.1-1.module_el8.5'), built('1:8.1-1.module_el8.6')]
    const advisories = advisoriesOf(record({ id: 'ALSA-2026:2', related: ['CVE-2026-1000'], affected }), every)
    expect(advisories.map((each) => each.ranges.map(({ fixed }) => fixed))).toEqual([
      ['1:8.1-1.module_el8.5', '1:8.1-1.module_el8.6'],
    ])
  })

  it.each([
    ['Ubuntu:24.04:LTS', 'ubuntu:24.04'],
    ['Ubuntu:25.10', 'ubuntu:25.10'],
    ['Ubuntu:Pro:20.04:LTS', undefined],
    ['AlmaLinux:9', 'almalinux:9'],
    ['Rocky Linux:9', 'rocky:9'],
    ['Debian', undefined],
    ['Debian GNU:12', undefined],
  ])('about %s is about %s', (ecosystem, distribution) => {
    const affected = [{ package: { ecosystem, name: 'a' }, ranges: range({ introduced: '0' }) }]
    expect(advisoriesOf(record({ affected }), every).map((each) => each.distribution)).toEqual(
      distribution === undefined ? [] : [distribution],
    )
  })

  it('is left out when it was withdrawn, announces what trackers say, names no CVE, or has versions of no package manager', () => {
    const affected = [{ package: { ecosystem: 'Debian:12', name: 'a' }, ranges: range({ introduced: '0' }) }]
    const git = [
      { package: { ecosystem: 'Debian:12', name: 'a' }, ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] },
    ]
    expect(advisoriesOf(record({ affected, withdrawn: '2026-01-01T00:00:00Z' }), every)).toEqual([])
    expect(advisoriesOf(record({ id: 'DSA-1-1', affected, upstream: ['CVE-2026-1000'] }), every)).toEqual([])
    expect(advisoriesOf(record({ id: 'ALBA-2026:1', affected }), every)).toEqual([])
    expect(advisoriesOf(record({ affected: git }), every)).toEqual([])
  })
})

describe('the gravity of a record', () => {
  const affectedBy = (specific?: string) => [
    {
      package: { ecosystem: 'AlmaLinux:9', name: 'a' },
      ranges: range({ introduced: '0' }),
      ...(specific === undefined ? {} : { ecosystem_specific: { urgency: specific } }),
    },
  ]
  const v31 = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }
  const v40 = { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' }

  it.each([
    ['a score', { severity: [v31] }, undefined, { severity: 'Critical', score: 9.8, score_version: '3.1' }],
    [
      'the newest score',
      { severity: [v31, v40] },
      undefined,
      { severity: 'Critical', score: 9.3, score_version: '4.0' },
    ],
    [
      "a distribution's word before a score",
      { severity: [v31, { type: 'Ubuntu', score: 'low' }] },
      undefined,
      { severity: 'Low', score: 9.8, score_version: '3.1' },
    ],
    ['the word its summary begins with', { summary: 'Important: a security update' }, undefined, { severity: 'High' }],
    ['an urgency', {}, 'unimportant', { severity: 'Low' }],
    [
      'nothing that is known',
      { severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:X' }] },
      'not yet assigned',
      { severity: 'Unknown' },
    ],
  ])('is as grave as %s says', (_what, given, urgency, gravity) => {
    const [advisory] = advisoriesOf(record({ ...given, affected: affectedBy(urgency) }), every)
    const { severity, score, score_version } = advisory ?? {}
    expect({ severity, ...(score === undefined ? {} : { score, score_version }) }).toEqual(gravity)
  })

  it('is that of all CVEs it is about', () => {
    const related = ['CVE-2026-1', 'CVE-2026-1001', 'RHSA-2026:1', 'CVE-2026-1002']
    const [advisory] = advisoriesOf(record({ id: 'ALSA-2026:1', related, affected: affectedBy() }), every)
    expect(advisory?.vulnerabilities).toEqual(['CVE-2026-1001', 'CVE-2026-1002'])
  })
})
