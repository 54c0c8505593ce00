import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const post = async (path: string, body?: object) => {
  const answer = await send(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
  return { status: answer.status, json: answer.json() as Record<string, unknown> }
}
const reasonOf = ({ json }: { json: Record<string, unknown> }): unknown => {
  const { type, reason } = Object(json['error'])
  return [type, reason]
}

beforeAll(async () => {
  const properties = {
    text: { type: 'text', term_vector: 'with_positions_offsets' },
    tag: { type: 'keyword' },
    size: { type: 'long' },
  }
  await send('/books', { method: 'PUT', body: { mappings: { properties } } })
  await post('/books/_doc/1', { text: 'The quick brown fox is brown.', tag: ['a', 'b'], size: 1 })
  await post('/books/_doc/2', { text: ['brown', 'bear'] })
})

describe('_termvectors', () => {
  it('shows the terms of a document with their places and how common they are', async () => {
    const { json } = await post('/books/_termvectors/1?term_statistics=true')
    expect(json).toMatchObject({ _index: 'books', _id: '1', _version: 1, found: true })
    const { text, ...others } = json['term_vectors'] as Record<string, { terms: object; field_statistics: object }>
    expect(others).toEqual({})
    expect(text?.field_statistics).toEqual({ sum_doc_freq: 7, doc_count: 2, sum_ttf: 8 })
    expect(Object.keys(text?.terms ?? {})).toEqual(['brown', 'fox', 'is', 'quick', 'the'])
    expect(Object(text?.terms)['brown']).toEqual({
      doc_freq: 2,
      ttf: 3,
      term_freq: 2,
      tokens: [
        { position: 2, start_offset: 10, end_offset: 15 },
        { position: 5, start_offset: 23, end_offset: 28 },
      ],
    })
  })

  it('leaves out what is not wanted, takes fields by pattern, and counts places on over values', async () => {
    const { json } = await post('/books/_termvectors/2', {
      fields: ['t*'],
      offsets: false,
      field_statistics: false,
    })
    expect(json['term_vectors']).toEqual({
      text: {
        terms: {
          bear: { term_freq: 1, tokens: [{ position: 101 }] },
          brown: { term_freq: 1, tokens: [{ position: 0 }] },
        },
      },
    })
    const bare = await post('/books/_termvectors/1?fields=tag&positions=false&offsets=false&field_statistics=false')
    expect(bare.json['term_vectors']).toEqual({ tag: { terms: { a: { term_freq: 1 }, b: { term_freq: 1 } } } })
  })

  it('looks at documents that are not stored, with other analyzers, and keeps the most telling terms', async () => {
    const { json } = await post('/books/_termvectors', {
      doc: { text: 'Brown Fox Fox' },
      per_field_analyzer: { text: 'whitespace' },
      filter: { max_num_terms: 1 },
      positions: false,
      offsets: false,
    })
    expect(json).toMatchObject({ _version: 0, found: true })
    expect(json['_id']).toBeUndefined()
    const { terms } = Object(Object(json['term_vectors']).text)
    expect(Object.keys(terms)).toEqual(['Fox'])
    expect(terms.Fox).toMatchObject({ term_freq: 2 })
    expect(terms.Fox.score).toBeCloseTo(2 * (Math.log(3 / 1) + 1), 5)
  })

  it('says what is missing or wrong', async () => {
    expect((await post('/books/_termvectors/9')).json).toMatchObject({ _id: '9', _version: 0, found: false })
    expect(reasonOf(await post('/books/_termvectors/1', { offset: true }))).toEqual([
      'parse_exception',
      'The parameter offset is not valid for term vector request!',
    ])
    expect(reasonOf(await post('/books/_termvectors/1', { payloads: true }))).toEqual([
      'illegal_argument_exception',
      '[payloads] of terms are not kept here',
    ])
    expect(reasonOf(await post('/books/_termvectors/1', { doc: {} }))).toEqual([
      'parse_exception',
      'either [id] or [doc] can be specified, but not both!',
    ])
    expect((await post('/books/_termvectors')).status).toBe(400)
    expect((await post('/books/_termvectors/1', { filter: { most: 1 } })).status).toBe(400)
    expect((await post('/none/_termvectors/1')).status).toBe(404)
  })
})

describe('_mtermvectors', () => {
  it('answers each document, and the fault of one with it alone', async () => {
    const { json } = await post('/_mtermvectors', {
      docs: [
        { _index: 'books', _id: '2', fields: ['text'] },
        { _index: 'none', _id: '1' },
        { _index: 'books', doc: { text: 'bear' } },
      ],
      parameters: { field_statistics: false },
    })
    expect(json['docs']).toMatchObject([
      { _id: '2', found: true, term_vectors: { text: { terms: { bear: { term_freq: 1 } } } } },
      { _index: 'none', _id: '1', error: { type: 'index_not_found_exception' } },
      { _index: 'books', found: true },
    ])
    const short = await post('/books/_mtermvectors?ids=1,2')
    expect(short.json['docs']).toMatchObject([{ _id: '1' }, { _id: '2' }])
  })

  it('refuses what names no documents, indices or known parameters', async () => {
    expect(reasonOf(await post('/_mtermvectors', {}))).toEqual([
      'action_request_validation_exception',
      'Validation Failed: 1: multi term vectors: no documents requested;',
    ])
    expect(reasonOf(await post('/_mtermvectors', { ids: ['1'] }))).toEqual([
      'action_request_validation_exception',
      'Validation Failed: 1: index is missing;',
    ])
    expect(reasonOf(await post('/_mtermvectors', { docs: [{ _index: 'books', _id: '1', versionType: 'x' }] }))).toEqual(
      ['parse_exception', 'The parameter versionType is not valid for term vector request!'],
    )
  })
})

it('refuses what is no number of a filter, whatever it is', async () => {
  const odd = { filter: { max_num_terms: { toString: 3 } } }
  expect(reasonOf(await post('/books/_termvectors/1', odd))).toEqual([
    'illegal_argument_exception',
    'Failed to parse value [{"toString":3}] of [max_num_terms]: a whole number is needed',
  ])
})
