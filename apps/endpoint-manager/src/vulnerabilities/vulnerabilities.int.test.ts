import { type Advisory, advisoriesIndex } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { ensureHiddenIndex, SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Vulnerabilities } from './vulnerabilities.ts'

const logger = createLogger('endpoint-manager', 'silent')
const waitLimitMs = 60_000
let server: TestSearch
let search: SearchClient
let looking: Vulnerabilities
let clock = Date.parse('2026-11-01T00:00:00Z')

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
  looking = new Vulnerabilities({ search, logger, now: () => clock, everyMs: () => 50 })
}, 120_000)

afterAll(async () => {
  await looking?.stop()
  search?.close()
  await server?.stop()
})

interface Known {
  readonly agent: { readonly id: string }
  readonly package: { readonly name: string; readonly version: string; readonly fixed_version?: string }
  readonly vulnerability: { readonly id: string; readonly detected_at: string; readonly severity: string }
}

async function known(): Promise<Known[]> {
  const { body } = await search.request<{ hits: { hits: { _source: Known }[] } }>({
    method: 'POST',
    path: '/endpoint-vulnerabilities/_search',
    query: { ignore_unavailable: true },
    body: { size: 1000 },
  })
  return body.hits.hits.map(({ _source: source }) => source)
}

const shown = (all: readonly Known[]): string[] =>
  all.map(({ agent, package: it, vulnerability }) => `${agent.id} ${it.name} ${it.version} ${vulnerability.id}`).sort()

async function until(expected: readonly string[]): Promise<void> {
  const deadline = Date.now() + waitLimitMs
  for (;;) {
    const now = shown(await known())
    if (JSON.stringify(now) === JSON.stringify(expected)) return
    if (Date.now() > deadline) expect(now).toEqual(expected)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const put = (path: string, body: unknown) => search.request({ method: 'PUT', path, query: { refresh: 'true' }, body })

/** Says that a host has a package, as endpoint-manager keeps it. */
function installed(
  agent: string,
  name: string,
  version: string,
  source?: { name: string; version?: string },
  release = '12',
) {
  clock += 1000
  return put(`/endpoint-inventory/_doc/${agent}-${name}`, {
    '@timestamp': new Date(clock).toISOString(),
    agent: { id: agent, name: agent },
    host: { name: agent, os: { platform: 'debian', version: release } },
    package: { name, version, architecture: 'amd64', type: 'dpkg' },
    ...(source ? { inventory: { package: { source } } } : {}),
    logstack: { inventory: { kind: 'package', key: `${name}:amd64`, present: true } },
  })
}

function advisory(id: string, name: string, ranges: Advisory['ranges'], at = 'first') {
  const document: Advisory = {
    distribution: 'debian:12',
    package: name,
    record: `DEBIAN-${id}`,
    vulnerabilities: [id],
    ranges,
    severity: 'High',
    score: 7.5,
    score_version: '3.1',
    summary: 'A fault.',
    reference: `https://osv.dev/vulnerability/DEBIAN-${id}`,
    import: at,
  }
  return put(`/${advisoriesIndex.name}/_doc/${id}`, document)
}

const openssl = 'a openssl 3.0.19-1 CVE-2026-1'
const nano = 'b nano 1 CVE-2026-3'

describe('vulnerabilities of hosts', () => {
  it('follow from packages and advisories, and from every change of both', async () => {
    await installed('a', 'libssl3', '3.0.19-1', { name: 'openssl' })
    await installed('a', 'openssl', '3.0.19-1')
    await installed('a', 'bash', '5.2-1+b1', { name: 'bash', version: '5.2-1' })
    await installed('b', 'bash', '5.2-2')
    // A host may say what it will.
    const odd = { logstack: { inventory: { kind: 'package', key: ' ' } } }
    await put('/endpoint-inventory/_doc/odd', { ...odd, agent: { id: 'a' }, package: { name: 5 } })
    await put('/endpoint-inventory/_doc/other', {
      ...odd,
      agent: { id: 'b' },
      'agent.id': 'a',
      host: { os: { platform: 'debian', version: '12' } },
      package: { name: 'nano', version: '1' },
    })
    await ensureHiddenIndex(search, advisoriesIndex)
    await advisory('CVE-2026-1', 'openssl', [{ introduced: '0', fixed: '3.0.20-1' }])
    await advisory('CVE-2026-2', 'bash', [{ introduced: '0', fixed: '5.2-2' }])
    await advisory('CVE-2026-3', 'nano', [{ introduced: '0' }])
    await until(['a bash 5.2-1 CVE-2026-2', openssl, nano])
    const first = (await known()).find((each) => each.package.name === 'openssl')
    expect(first).toMatchObject({
      host: { name: 'a' },
      message: 'CVE-2026-1 in openssl 3.0.19-1, fixed in 3.0.20-1',
      package: { fixed_version: '3.0.20-1' },
      inventory: { package: { parts: ['libssl3', 'openssl'] } },
      vulnerability: { severity: 'High', score: { base: 7.5, version: '3.1' }, report_id: 'DEBIAN-CVE-2026-1' },
    })

    // A new advisory, and another word of an old one: what was known stays as old as it is.
    await advisory('CVE-2026-4', 'bash', [{ introduced: '5.2-2' }])
    await advisory('CVE-2026-1', 'openssl', [{ introduced: '0' }], 'second')
    await until(['a bash 5.2-1 CVE-2026-2', openssl, 'b bash 5.2-2 CVE-2026-4', nano])
    const again = async () => (await known()).find((each) => each.package.name === 'openssl')
    await expect.poll(async () => (await again())?.package.fixed_version, { timeout: waitLimitMs }).toBeUndefined()
    expect((await again())?.vulnerability.detected_at).toBe(first?.vulnerability.detected_at)
  }, 240_000)

  it('go with an upgrade, with the advisories of the release, and with the host', async () => {
    const upgraded = ['a bash 5.2-2 CVE-2026-4', openssl, 'b bash 5.2-2 CVE-2026-4', nano]
    await installed('a', 'bash', '5.2-2')
    await until(upgraded)

    // A host that became one of a release without advisories.
    await installed('c', 'bash', '5.2-1')
    await until([...upgraded, 'c bash 5.2-1 CVE-2026-2'])
    await installed('c', 'bash', '5.2-1', undefined, '13')
    await until(upgraded)

    // A host whose inventory is gone.
    await search.request({
      method: 'POST',
      path: '/endpoint-inventory/_delete_by_query',
      query: { refresh: true },
      body: { query: { term: { 'agent.id': 'a' } } },
    })
    await until(['b bash 5.2-2 CVE-2026-4'])
  }, 240_000)
})
