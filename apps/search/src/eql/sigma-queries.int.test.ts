import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

/** Queries as pySigma's EQL backend (pySigma-backend-elasticsearch 2.1.1, formats `eql` and `eqlapi`) writes them of rules, and what they find. */

const send = searchOverWire()

const documents: Readonly<Record<string, object>> = {
  whoami: { Image: 'C:\\Windows\\System32\\CMD.EXE', CommandLine: 'cmd.exe /c WhoAmI', EventID: 4625, User: 'SYSTEM' },
  encoded: {
    Image: 'D:\\x\\powershell.exe',
    CommandLine: 'powershell -enc AAAA',
    EventID: 1,
    User: 'Admin',
    n: 5,
    m: 6,
  },
  failed: { EventID: 4625, User: 'anna', src_ip: '10.1.2.3', 'field name': 'A bxcyd', n: 9, m: 7 },
  away: { EventID: 2, User: '', src_ip: '8.8.8.8', ok: true, q: 'say "hi"\\n', code: '4625' },
  six: { src_ip: 'fe80::1', User: 'ANNA', n: 4 },
}

beforeAll(async () => {
  const keyword = { type: 'keyword' }
  const properties = {
    '@timestamp': { type: 'date' },
    Image: keyword,
    CommandLine: { type: 'text', fields: { keyword } },
    EventID: { type: 'long' },
    User: keyword,
    src_ip: { type: 'ip' },
    'field name': keyword,
    n: { type: 'long' },
    m: { type: 'long' },
    ok: { type: 'boolean' },
    q: keyword,
    code: keyword,
  }
  await send('/sigma', { method: 'PUT', body: { mappings: { properties } } })
  for (const [at, [id, document]] of Object.entries(documents).entries())
    await send(`/sigma/_doc/${id}`, { method: 'PUT', body: { '@timestamp': at, ...document } })
})

describe('a rule', () => {
  it.each([
    ['any where Image:"*\\\\cmd.exe" and (CommandLine like~ ("*whoami*", "*net user*"))', 'whoami'],
    ['any where EventID:4625 and (not User:"SYSTEM")', 'failed'],
    ['any where code:4625', 'away'],
    ['any where User==""', 'away'],
    ['any where ?User == null', ''],
    ['any where ?Other == null and ?CommandLine == null', 'failed,away,six'],
    ['any where CommandLine regex~ ".*-ENC A+"', 'encoded'],
    [
      'any where cidrMatch(src_ip, "10.0.0.0/8") or cidrMatch(src_ip, "192.168.0.0/16") or cidrMatch(src_ip, "fe80::/10")',
      'failed,six',
    ],
    ['any where n >= 5 and m < 7', 'encoded'],
    ['any where `field name`:"a b*c?d"', 'failed'],
    ['any where User == "Admin" and CommandLine == "powershell -enc AAAA"', 'encoded'],
    [
      'any where (CommandLine:"*w*" and CommandLine:"*a*") or (Image like~ ("C:\\\\Windows\\\\*", "D:\\\\x*"))',
      'whoami,encoded',
    ],
    ['any where not ((EventID like~ (1, 2, 3)) and (User like~ ("a", "b*")))', 'whoami,encoded,failed,away,six'],
    ['any where ok:true and src_ip=="8.8.8.8" and q:"say \\"hi\\"\\\\n"', 'away'],
    ['any where CommandLine like~ ("* -enc *", "* /enc *", "* –enc *", "* —enc *", "* ―enc *")', 'encoded'],
  ])('finds %s', async (query, ids) => {
    const answer = await send('/sigma/_eql/search', { method: 'POST', body: { query } })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    const { hits } = answer.json() as { hits: { events: { _id: string }[] } }
    expect(hits.events.map(({ _id }) => _id).join()).toBe(ids)
  })

  it('is asked for by ElastAlert with its time and size', async () => {
    const filter = { bool: { must: [{ range: { '@timestamp': { gt: 0, lte: '2026-11-21T10:00:00Z' } } }] } }
    const body = { filter, query: 'any where EventID:4625', size: 10_000 }
    const answer = await send('/sigma/_eql/search?ignore_unavailable=true', { method: 'POST', body })
    expect(answer.json()).toMatchObject({ hits: { events: [{ _id: 'failed', _source: { User: 'anna' } }] } })
  })

  it('of keywords without a field is refused, as in Elasticsearch', async () => {
    const body = { query: 'any where "mimikatz" or "sekurlsa"' }
    expect((await send('/sigma/_eql/search', { method: 'POST', body })).status).toBe(400)
  })
})
