import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Advisory, advisoriesIndex } from '@logstack/contracts'
import { SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importAdvisories, releasesOfHosts } from './import-advisories.ts'
import { zipOf } from './zip.fixture.ts'

const folder = tempDir('logstack-advisories')
let server: TestSearch
let search: SearchClient

// As the operator's templates have them.
const strings = { match_mapping_type: 'string', mapping: { type: 'keyword' } }
const template = {
  index_patterns: ['endpoint-*'],
  template: { mappings: { dynamic_templates: [{ strings }] } },
}

beforeAll(async () => {
  server = await startSearch()
  const { url, ca, username, password } = server
  search = new SearchClient({ url, ca, credentials: { username, password } })
  await search.request({ method: 'PUT', path: '/_index_template/endpoint', body: template })
}, 120_000)

afterAll(async () => {
  search?.close()
  await server?.stop()
  folder.remove()
})

const osv = (number: number, name: string, ...ecosystems: string[]): string =>
  JSON.stringify({
    id: `DEBIAN-CVE-2026-${number}`,
    details: `fault ${number}`,
    affected: ecosystems.map((ecosystem) => ({
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2-1' }] }],
    })),
  })

function given(name: string, content: string | Buffer): string {
  const path = join(folder.path, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

async function stored(): Promise<string[]> {
  const { body } = await search.request<{ hits: { hits: { _source: Advisory }[] } }>({
    method: 'POST',
    path: `/${advisoriesIndex.name}/_search`,
    body: { size: 1000, sort: ['distribution', 'package', 'record'] },
  })
  return body.hits.hits.map(({ _source: it }) => `${it.distribution} ${it.package} ${it.record}`)
}

describe('an import of advisories', () => {
  it('takes in what files say of the wanted releases, tells what it cannot read, and removes what they say no more', async () => {
    const first = given(
      'first.zip',
      zipOf({
        'DEBIAN-CVE-2026-1001.json': osv(1001, 'openssl', 'Debian:12', 'Debian:13'),
        'DEBIAN-CVE-2026-1002.json': osv(1002, 'bash', 'Debian:12', 'Debian:11'),
        'broken.json': '{"id":',
        'other.json': '{"id": 5}',
        'README.md': 'not looked at',
      }),
    )
    const wanted = ['debian:12', 'debian:13', 'ubuntu:24.04']
    const taken = await importAdvisories(search, [first], { wanted, at: '2026-11-01T00:00:00.000Z' })
    expect(Object.fromEntries(taken.counts)).toEqual({ 'debian:12': 2, 'debian:13': 1 })
    expect(taken.unreadable).toBe(2)
    expect(taken.problems).toEqual([
      expect.stringContaining('broken.json is no JSON'),
      expect.stringContaining('other.json is no record of OSV: id: '),
    ])
    expect(await stored()).toEqual([
      'debian:12 bash DEBIAN-CVE-2026-1002',
      'debian:12 openssl DEBIAN-CVE-2026-1001',
      'debian:13 openssl DEBIAN-CVE-2026-1001',
    ])

    const second = given('second/a.json', osv(1003, 'bash', 'Debian:12'))
    const again = await importAdvisories(search, [join(second, '..')], { wanted, at: '2026-11-02T00:00:00.000Z' })
    expect(again.removed).toBe(2)
    expect(await stored()).toEqual(['debian:12 bash DEBIAN-CVE-2026-1003', 'debian:13 openssl DEBIAN-CVE-2026-1001'])
  })

  it('reads a file with a record a line, and refuses what is no file of advisories', async () => {
    const lines = given('lines.jsonl', `${osv(1004, 'zlib', 'Debian:12')}\n\n${osv(1005, 'zlib', 'Debian:12')}\n`)
    const wanted = ['debian:12']
    const taken = await importAdvisories(search, [lines], { wanted, at: '2026-11-03T00:00:00.000Z' })
    expect(taken.counts.get('debian:12')).toBe(2)
    const torn = given('torn.zip', zipOf({ 'a.json': osv(1006, 'zlib', 'Debian:12') }).subarray(0, 60))
    for (const path of [torn, join(folder.path, 'absent.zip')])
      await expect(importAdvisories(search, [path], { wanted, at: '2026-11-04T00:00:00.000Z' })).rejects.toMatchObject({
        code: 'option_invalid',
      })
    expect(await stored()).toContain('debian:12 zlib DEBIAN-CVE-2026-1005')
  })

  it('is for the releases of hosts that sent packages', async () => {
    expect(await releasesOfHosts(search)).toEqual([])
    const hosts = [
      ['debian', '12'],
      ['debian', '12'],
      ['rocky', '9.4'],
      ['windows', '10'],
    ]
    for (const [at, [platform, version]] of hosts.entries())
      await search.request({
        method: 'PUT',
        path: `/endpoint-inventory/_doc/${at}`,
        query: { refresh: 'true' },
        body: { host: { os: { platform, version } }, logstack: { inventory: { kind: 'package' } } },
      })
    expect(await releasesOfHosts(search)).toEqual(['debian:12', 'rocky:9'])
  })
})
