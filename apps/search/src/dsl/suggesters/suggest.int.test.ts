import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

interface Option {
  readonly text: string
  readonly score?: number
  readonly freq?: number
  readonly _id?: string
  readonly _score?: number
  readonly highlighted?: string
}
type Suggested = Record<string, { readonly text: string; readonly offset: number; readonly options: Option[] }[]>

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.catalogue.createIndex({
    name: 'words',
    settings: {
      analysis: {
        filter: { pairs: { type: 'shingle', min_shingle_size: 2, max_shingle_size: 2 } },
        analyzer: { pairs: { tokenizer: 'standard', filter: ['lowercase', 'pairs'] } },
      },
    },
    mappings: {
      properties: {
        body: { type: 'text', fields: { pairs: { type: 'text', analyzer: 'pairs' } } },
        known: { type: 'completion' },
        place: {
          type: 'completion',
          contexts: [
            { name: 'kind', type: 'category', path: 'kind' },
            { name: 'at', type: 'geo', precision: '5km' },
          ],
        },
      },
    },
  })
  await logs.services.write('words', [
    ['1', { body: 'failed password for root', known: ['Web Server', { input: 'Wiki', weight: 7 }] }],
    ['2', { body: 'failed password for anna', known: { input: ['web cache', 'cache'], weight: 3 } }],
    [
      '3',
      {
        body: 'password changed',
        place: { input: 'Hall A', contexts: { at: { lat: 52.37, lon: 4.89 } } },
        kind: 'hall',
      },
    ],
    ['4', { place: { input: 'Hall B', contexts: { kind: ['room', 'hall'], at: 'u33db2' } } }],
  ])
})
afterAll(() => logs.services.close())

async function suggest(entries: object, more: object = {}): Promise<Suggested> {
  const answer = await logs.answer({ suggest: entries, ...more }, {}, 'words')
  expect(answer['hits']).toMatchObject({ hits: [] })
  return answer['suggest'] as Suggested
}
const options = (suggested: Suggested) => (suggested['s'] ?? []).flatMap((entry) => entry.options)

describe('term', () => {
  it('suggests words of the field that are like those of the text', async () => {
    const { s } = await suggest({ s: { text: 'the pasword', term: { field: 'body' } } })
    expect(s).toEqual([
      { text: 'the', offset: 0, length: 3, options: [] },
      {
        text: 'pasword',
        offset: 4,
        length: 7,
        options: [{ text: 'password', score: expect.closeTo(0.857, 3), freq: 3 }],
      },
    ])
  })

  it('says nothing of words that are there unless asked to', async () => {
    expect(options(await suggest({ s: { text: 'failed', term: { field: 'body' } } }))).toEqual([])
    expect(options(await suggest({ s: { text: 'roat', term: { field: 'body', min_word_length: 5 } } }))).toEqual([])
  })
})

it('puts phrases right by the words that stand side by side', async () => {
  const body = { field: 'body.pairs', highlight: { pre_tag: '<', post_tag: '>' }, max_errors: 2 }
  const [first] = options(await suggest({ s: { text: 'failde pasword for rood', phrase: body } }))
  expect(first?.text).toBe('failed password for rood')
  expect(first?.highlighted).toBe('<failed password> for rood')
})

describe('completion', () => {
  const completed = async (body: object, text: object = { prefix: 'we' }) =>
    options(await suggest({ s: { ...text, completion: { field: 'known', ...body } } }))

  it('gives the inputs that begin so, the weightiest first, each document once', async () => {
    expect(await completed({}, { prefix: 'W' })).toMatchObject([
      { text: 'Wiki', _id: '1', _score: 7, _source: expect.anything() },
      { text: 'web cache', _id: '2', _score: 3 },
    ])
    expect(await completed({ size: 1 })).toHaveLength(1)
    expect(await completed({}, { regex: 'w.*k' })).toMatchObject([{ text: 'Wiki' }])
    expect(await completed({ fuzzy: true }, { prefix: 'weg serv' })).toMatchObject([{ text: 'Web Server' }])
  })

  it('keeps to contexts, given or at a path', async () => {
    const placed = async (contexts?: object) =>
      (await completed({ field: 'place', contexts }, { prefix: 'hall' })).map(({ text }) => text)
    expect(await placed({ kind: 'hall' })).toEqual(['Hall A', 'Hall B'])
    expect(await placed({ kind: [{ context: 'ro', prefix: true, boost: 2 }] })).toEqual(['Hall B'])
    expect(await placed({ at: { lat: 52.371, lon: 4.891 } })).toEqual(['Hall A'])
    await expect(placed()).rejects.toMatchObject({ cause: { message: 'Missing mandatory contexts in context query' } })
  })

  it('refuses what is no completion', async () => {
    const write = (source: object) => logs.services.write('words', [['9', source]])
    await expect(write({ known: { input: 'a', weight: -1 } })).rejects.toMatchObject({
      cause: { message: 'weight must be in the interval [0..2147483647], but was [-1]' },
    })
    await expect(write({ known: { inputs: 'a' } })).rejects.toMatchObject({
      cause: { message: 'unknown field name [inputs], must be one of [input, weight, contexts]' },
    })
    await expect(suggest({ s: { text: 'a', completion: { field: 'body' } } })).rejects.toMatchObject({
      cause: { message: 'Field [body] is not a completion suggest field' },
    })
  })
})

it('refuses unknown suggesters and options, and answers beside hits', async () => {
  await expect(suggest({ s: { text: 'a', terms: { field: 'body' } } })).rejects.toThrow(
    'unknown field [terms] did you mean [term]?',
  )
  await expect(suggest({ s: { text: 'a', term: { field: 'body', sise: 1 } } })).rejects.toThrow(
    "suggester[term] doesn't support field [sise]",
  )
  const answer = await logs.answer(
    { query: { match_all: {} }, suggest: { text: 'pasword', s: { term: { field: 'body' } } } },
    { typed_keys: true },
    'words',
  )
  expect(answer).toMatchObject({ hits: { total: { value: 4 } }, suggest: { 'term#s': [{ options: [{ freq: 3 }] }] } })
})
