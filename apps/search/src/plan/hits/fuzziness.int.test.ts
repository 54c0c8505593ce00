import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

async function ids(query: unknown): Promise<string[]> {
  const { hits } = (await logs.answer({ query })) as { hits: { hits: { _id: string }[] } }
  return hits.hits.map(({ _id }) => _id).sort()
}

it.each<[string, unknown, string[]]>([
  ['a word with a swap', { match: { message: { query: 'faield', fuzziness: 1 } } }, ['1', '5']],
  ['by length', { match: { message: { query: 'pasword anna', fuzziness: 'AUTO', operator: 'and' } } }, ['2']],
  ['not with another beginning', { match: { message: { query: 'bailed', fuzziness: 1, prefix_length: 1 } } }, []],
  ['a keyword', { fuzzy: { 'host.name': { value: 'wob-1', fuzziness: 1 } } }, ['1', '2']],
  ['in a query string', { query_string: { query: 'message:conection~1' } }, ['3']],
  ['in a simple query string', { simple_query_string: { query: 'conection~1', fields: ['message'] } }, ['3']],
  ['in several fields', { multi_match: { query: 'closd', fields: ['message', 'host.name'], fuzziness: 1 } }, ['3']],
])('finds %s', async (_, query, expected) => expect(await ids(query)).toEqual(expected))

it('refuses more edits than two', async () =>
  await expect(ids({ match: { message: { query: 'x', fuzziness: 3 } } })).rejects.toThrow())

it('refuses words that are too long to be compared, and compares long ones', async () => {
  const refused = await ids({ fuzzy: { 'host.name': 'a'.repeat(70_000) } }).catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({
    cause: { message: expect.stringContaining('exceeds the allowed maximum of [4096]') },
  })
  expect(await ids({ fuzzy: { 'host.name': 'a'.repeat(4_096) } })).toEqual([])
})
