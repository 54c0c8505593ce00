import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('odd', {
    properties: {
      n: { type: 'integer', ignore_malformed: true },
      'a "b"': { type: 'integer', ignore_malformed: true },
    },
  })
  await logs.services.write('odd', [
    ['none', { n: 1 }],
    ['one', { n: 'x' }],
    ['two', { n: 'x', 'a "b"': 'y' }],
  ])
})
afterAll(() => logs.services.close())

async function hits(body: object): Promise<Record<string, unknown>[]> {
  const answer = (await logs.answer(body, {}, 'odd')) as {
    readonly hits?: { readonly hits: Record<string, unknown>[] }
  }
  return answer.hits?.hits ?? []
}

it('shows the ignored fields of each hit, in the order of arrival', async () => {
  const found = await hits({ seq_no_primary_term: true, version: true })
  expect(found.map(({ _id, _ignored, _seq_no, _version }) => [_id, _ignored, _seq_no, _version])).toEqual([
    ['none', undefined, 0, 1],
    ['one', ['n'], 1, 1],
    ['two', expect.arrayContaining(['n', 'a "b"']), 2, 1],
  ])
})

it('shows versions that are asked for alone, and gives them to fields and scripts', async () => {
  const [plain] = await hits({})
  expect([plain?.['_version'], plain?.['_seq_no']]).toEqual([undefined, undefined])
  const [versioned] = await hits({ version: true })
  expect([versioned?.['_version'], versioned?.['_seq_no']]).toEqual([1, undefined])
  const script_fields = { version: { script: `doc['_version'].value` } }
  const [scripted] = await hits({ script_fields, docvalue_fields: ['_seq_no'] })
  expect([scripted?.['_version'], scripted?.['fields']]).toEqual([undefined, { version: [1], _seq_no: [0] }])
})

it.each([0, 1, 2.5, 0.1, 1e-7, 3e9])('shows and goes on from a constant score of %s', async (boost) => {
  const body = { size: 1, query: { constant_score: { filter: { match_all: {} }, boost } }, sort: ['_score', '_doc'] }
  const [first] = await hits(body)
  expect(first).toMatchObject({ _id: 'none', _score: boost })
  const [second] = await hits({ ...body, search_after: first?.['sort'] })
  expect(second).toMatchObject({ _id: 'one', sort: [boost, expect.anything()] })
})
