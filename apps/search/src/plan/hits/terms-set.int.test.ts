import { evaluate } from '@logstack/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
const documents: readonly (readonly [string, object])[] = [
  ['1', { skills: ['js', 'sql'], needed: 2 }],
  ['2', { skills: ['js', 'c', 'sql'], needed: [3, 1] }],
  ['3', { skills: 'js', needed: 2 }],
  ['4', { skills: ['js', 'sql', 'c'] }],
  ['5', { skills: ['c'], needed: 0 }],
]

beforeAll(async () => {
  logs = await openSampleLogs()
  const properties = { skills: { type: 'keyword' }, needed: { type: 'long' }, words: { type: 'text' } }
  await logs.services.create('people', { properties })
  await logs.services.write('people', documents)
})
afterAll(() => logs.services.close())

const ids = async (body: object): Promise<string[]> => {
  const query = { terms_set: { skills: { terms: ['js', 'sql', 'go'], ...body } } }
  const { hits } = (await logs.answer({ query, sort: ['_doc'] }, {}, 'people')) as unknown as {
    hits: { hits: { _id: string }[] }
  }
  return hits.hits.map(({ _id }) => _id)
}

it.each([
  [{ minimum_should_match_field: 'needed' }, ['1', '2']],
  [{ minimum_should_match_script: { source: 'Math.min(params.num_terms - 1, 2)' } }, ['1', '2', '4']],
  [
    { minimum_should_match_script: { source: "doc['needed'].size() - params.less", params: { less: 0 } } },
    ['1', '2', '3', '4'],
  ],
  [{ minimum_should_match: 1 }, ['1', '2', '3', '4']],
  [{ minimum_should_match: '60%' }, ['1', '2', '3', '4']],
  [{ minimum_should_match: 0 }, ['1', '2', '3', '4']],
  [{ terms: [], minimum_should_match: 0 }, []],
])('takes documents with as many terms as %j says', async (body, found) => {
  expect(await ids(body)).toEqual(found)
})

it('means the same over single documents', () => {
  const terms = ['js', 'sql', 'go'].map(
    (value) => ({ op: 'equals', field: { path: 'skills', type: 'string' }, values: [value] }) as const,
  )
  const predicate = { op: 'at-least', count: { path: 'needed', type: 'long' }, of: terms } as const
  expect(documents.filter(([, source]) => evaluate(predicate, source)).map(([id]) => id)).toEqual(['1', '2'])
})

it.each([
  [{}, 'No minimum should match has been specified'],
  [{ minimum_should_match_field: 'absent' }, 'failed to find minimum_should_match field [absent]'],
  [{ minimum_should_match_field: 'skills' }, 'of type [keyword] and holds no numbers'],
  [{ minimum_should_match: 1, minimum_should_match_field: 'needed' }, 'only one of [minimum_should_match,'],
  [{ minimum: 1 }, '[terms_set] query does not support [minimum]'],
])('refuses %j', async (body, reason) => {
  const thrown = await ids(body).catch((error: Error) => error)
  const messages = [thrown, (thrown as Error).cause].map((each) => (each instanceof Error ? each.message : ''))
  expect(messages.join(' ')).toContain(reason)
})
