import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerOf } from '../testing/answer-of.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'

const ipv4 = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
const listed = Array.from({ length: 65_536 }, (_, at) => (at % 2 === 0 ? ipv4(at) : `2001:db8::${at.toString(16)}`))

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
  const objects = { type: 'nested', properties: { from: { type: 'ip' } } }
  await services.create('seen', { properties: { ip: { type: 'ip' }, hops: objects } })
  await services.write('seen', [
    ['v4', { ip: ipv4(40_000) }],
    ['v6', { ip: '2001:0db8:0:0::9c41' }],
    ['several', { ip: ['192.168.0.1', ipv4(2)] }],
    ['mapped', { ip: `::ffff:${ipv4(4)}` }],
    ['nested', { hops: [{ from: '192.168.0.1' }, { from: ipv4(6) }] }],
    ['none', { ip: ['192.168.0.1', '2001:db8::2'], hops: [{ from: ipv4(7) }] }],
    ['empty', {}],
  ])
}, 60_000)
afterAll(() => services.close())

async function found(query: unknown): Promise<string[]> {
  const answer = await answerOf<{ hits: { hits: { _id: string }[] } }>(services, 'seen', { query, _source: false })
  return answer.hits.hits.map(({ _id }) => _id).sort()
}

it('finds addresses among tens of thousands, within the memory of a search', async () => {
  const filter = [{ terms: { ip: listed } }]
  expect(await found({ bool: { filter } })).toEqual(['mapped', 'several', 'v4', 'v6'])
  expect(await found({ bool: { must_not: filter } })).toEqual(['empty', 'nested', 'none'])
})

it('finds them in objects, and beside blocks', async () => {
  const within = (query: unknown) => found({ nested: { path: 'hops', query } })
  expect(await within({ terms: { 'hops.from': listed.slice(0, 20) } })).toEqual(['nested'])
  expect(await found({ terms: { ip: ['192.168.0.0/31', ...listed.slice(0, 5)] } })).toEqual([
    'mapped',
    'none',
    'several',
  ])
})
