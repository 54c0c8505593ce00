import { createLogger } from '@logstack/logging'
import { SearchClient } from '@logstack/search-client'
import { memorySearch, testCertificates } from '@logstack/testkit'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type OutputDocument, SearchOutput } from './search-output.ts'

const certificates = await testCertificates()
const search = await memorySearch(certificates, ['part:secret'])
const credentials = { username: 'part', password: 'secret' }
const client = new SearchClient({ url: search.url, ca: certificates.ca, credentials })
afterAll(async () => {
  client.close()
  await search.close()
})
beforeEach(() => {
  search.indices.clear()
  search.refuse = undefined
})

const event = (id: string, message: string): OutputDocument => ({
  id,
  index: 'logs-a-default',
  document: { '@timestamp': '2026-11-22T03:29:58.000Z', message, host: { name: 'h' }, ecs: { version: '8.17.0' } },
})

const time = Date.parse('2026-11-22T03:29:58.000Z')

/** An output, what was looked at before it was stored, and of what was told that it is. */
function start() {
  const [seen, stored]: [string[], string[]] = [[], []]
  const look = ({ id, index }: OutputDocument) => {
    seen.push(id)
    if (id === 'dull') return undefined
    return (at: number, read: () => Record<string, unknown>) => {
      expect([at, read()['@timestamp']]).toEqual([time, '2026-11-22T03:29:58.000Z'])
      stored.push(`${index}/${id}`)
    }
  }
  return { seen, stored, output: new SearchOutput(client, createLogger('test', 'silent'), [look]) }
}

describe('the output', () => {
  it('tells of what is stored, once, however often it is sent', async () => {
    const { seen, stored, output } = start()
    search.refuse = (_index, document) =>
      (document as { message: string }).message === 'late' ? { status: 429, reason: 'busy' } : undefined
    const events = [event('1', 'one'), event('dull', 'x'), event('2', 'late')]
    await expect(output.write(events)).rejects.toMatchObject({ code: 'events_not_stored' })
    expect(stored).toEqual(['logs-a-default/1'])
    search.refuse = undefined
    await output.write(events)
    expect(stored).toEqual(['logs-a-default/1', 'logs-a-default/2'])
    expect(seen).toEqual(['1', 'dull', '2', '1', 'dull', '2'])
  })

  it('keeps whole as text what search refuses', async () => {
    const { stored, output } = start()
    search.refuse = (index) => (index === 'logs-a-default' ? { status: 400, reason: 'no such field' } : undefined)
    const refused = event('1', 'zwei\nZeilen, längst')
    await output.write([refused])
    expect(stored).toEqual(['logs-rejected-default/1'])
    const text = search.indices.get('logs-rejected-default')?.get('1') as Record<string, unknown>
    expect(JSON.parse(String(text['message']))).toEqual(refused.document)
    expect(text).toMatchObject({ error: { message: 'no such field' }, host: { name: 'h' }, tags: ['rejected'] })
  })

  it('makes documents as they are sent, a thousand a request', async () => {
    const { stored, output } = start()
    const made: number[] = []
    const documents = function* () {
      for (let n = 0; n < 2_500; n += 1) {
        made.push(stored.length)
        yield event(String(n), 'x')
      }
    }
    await output.write(documents())
    expect(stored).toHaveLength(2_500)
    expect([made[999], made[1_000], made[2_000]]).toEqual([0, 1_000, 2_000])
  })
})
