import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

/** Queries that ask for more than a machine has: each gets an answer or an error in Elasticsearch's form, and search goes on. */

const send = searchOverWire()

const eql = async (query: string, more: object = {}) => {
  const answer = await send('/many/_eql/search', { method: 'POST', body: { query, ...more } })
  return { status: answer.status, body: answer.json() as { error?: { type: string; reason: string }; hits?: object } }
}

beforeAll(async () => {
  const keyword = { type: 'keyword' }
  const fields = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, keyword]))
  const properties = { '@timestamp': { type: 'date' }, name: keyword, key: keyword, n: { type: 'long' }, ...fields }
  await send('/many', { method: 'PUT', body: { mappings: { properties } } })
  const lines = Array.from({ length: 5000 }, (_, n) => {
    const document = { '@timestamp': n, name: n % 2 ? 'a' : 'b', key: `${'k'.repeat(10_000)}${n}`, n }
    return `{"create":{}}\n${JSON.stringify(document)}\n`
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  for (let from = 0; from < lines.length; from += 1000)
    await send('/many/_bulk', { method: 'POST', headers, body: lines.slice(from, from + 1000).join('') })
})

const times = (text: string, count: number, by = '') => Array.from({ length: count }, () => text).join(by)

const asked: readonly (readonly [what: string, query: string, status: number, type: string | undefined])[] = [
  ['deep in brackets', `any where ${times('(', 100_000)}n == 1`, 400, 'parsing_exception'],
  ['deep in negations', `any where ${times('not ', 200_000)}n == 1`, 400, 'parsing_exception'],
  ['deep in calls', `any where ${times('length(', 100_000)}name`, 400, 'parsing_exception'],
  [
    'deep in and and or',
    `any where ${times('(n == 1 and (n == 2 or ', 40)}n == 3${times('))', 40)}`,
    400,
    'x_content_parse_exception',
  ],
  ['of a megabyte of nothing', `any where true${times(' ', 1_000_000)}`, 200, undefined],
  ['of a megabyte of text', `any where name == "${times('x', 1_000_000)}"`, 200, undefined],
  ['of more than a megabyte', `any where name == "${times('x', 2_000_000)}"`, 400, 'parsing_exception'],
  ['of a name of a megabyte', `any where ${times('x', 1_000_000)} == 1`, 400, 'verification_exception'],
  ['of an unknown function of a megabyte', `any where ${times('x', 1_000_000)}() == 1`, 400, 'verification_exception'],
  ['of many conditions', `any where ${times('n == 1', 90_000, ' or ')}`, 400, 'search_phase_execution_exception'],
  ['of many values', `any where n in (${times('1', 200_000, ',')})`, 400, 'search_phase_execution_exception'],
  ['of many patterns', `any where name like (${times('"*a*"', 50_000, ',')})`, 400, 'search_phase_execution_exception'],
  ['of many sums', `any where ${times('1', 100_000, '+')} == n`, 400, 'parsing_exception'],
  ['of many unknown fields', `any where ${times('unknown == 1', 50_000, ' or ')}`, 400, 'verification_exception'],
  ['of computed conditions', `any where ${times('n + 1 == 2', 200, ' or ')}`, 200, undefined],
  [
    'of many different computed conditions',
    `any where ${Array.from({ length: 2000 }, (_, at) => `n + ${at} == 2`).join(' or ')}`,
    400,
    'verification_exception',
  ],
  ['of many parts of a text', `any where concat(${times('name', 50_000, ',')}) == "a"`, 400, undefined],
  ['of many pipes', `any where true ${times('| head 5 | tail 3', 20_000)}`, 200, undefined],
  ['of many items', `sequence ${times('[any where true]', 20_000)}`, 400, 'parsing_exception'],
  [
    'of many join keys',
    `sequence by ${times('name', 10_000, ',')} [any where true] [any where true]`,
    400,
    'parsing_exception',
  ],
  [
    'of many different join keys',
    `sequence by ${Array.from({ length: 500 }, (_, at) => `?f${at}`).join()} [any where true] [any where true]`,
    400,
    'parsing_exception',
  ],
  ['that pumps a regular expression', 'any where key regex "(k+)+(k+)+(k|k)*z"', 200, undefined],
  [
    'with a bomb of a regular expression',
    `any where name regex "${times('(', 300)}a${times('){9}', 300)}"`,
    400,
    undefined,
  ],
  ['with a long regular expression', `any where name regex "${times('a', 100_000)}"`, 400, undefined],
  ['with numbers beyond all', 'any where n == 1e400', 400, 'parsing_exception'],
  [
    'with names of objects',
    'any where toString == 1 or __proto__ == 2 or constructor(n)',
    400,
    'verification_exception',
  ],
  ['that is binary', 'any where name == "\u0000\ufffe" \u0001', 400, 'parsing_exception'],
]

describe('a query', () => {
  it.each(asked)('%s', async (_name, query, status, type) => {
    const answer = await eql(query)
    expect([answer.status, answer.body.error?.reason?.slice(0, 200)]).toEqual([
      status,
      status === 200 ? undefined : expect.any(String),
    ])
    if (type !== undefined) expect(answer.body.error?.type).toBe(type)
  })
})

describe('a sequence or sample', () => {
  it('holds no more keys than its limit', async () => {
    const query = 'sequence by key [any where true] [any where n < 0]'
    expect(await eql(query)).toMatchObject({ status: 429, body: { error: { type: 'circuit_breaking_exception' } } })
    const span = 'sequence by key with maxspan=100ms [any where true] [any where n < 0]'
    expect(await eql(span)).toMatchObject({ status: 200, body: { hits: { sequences: [] } } })
    const sample = 'sample by key [any where true] [any where n < 0]'
    expect(await eql(sample)).toMatchObject({ status: 429, body: { error: { type: 'circuit_breaking_exception' } } })
  })

  it('runs as often in a row as it may, and shows no more than anybody reads', async () => {
    const query = 'sequence [any where true] with runs=100 [any where true] with runs=100'
    expect(await eql(query, { size: 3 })).toMatchObject({ status: 200, body: { hits: { total: { value: 3 } } } })
    const large = await eql(query, { size: 10_000 })
    expect([200, 429]).toContain(large.status)
  })
})

describe('a body', () => {
  it.each([
    [{ query: null }],
    [{ query: { toString: 1 } }],
    [{ query: 'any where true', filter: 5 }],
    [{ query: 'any where true', fields: 5 }],
    [{ query: 'any where true', fields: [{ nonsense: 1 }] }],
    [{ query: 'any where true', runtime_mappings: 5 }],
    [{ query: 'any where true', timestamp_field: '__proto__' }],
    [{ query: 'any where true', size: 1e300 }],
    [{ query: 'any where true', keep_alive: 'x' }],
    [{ query: 'any where true', wait_for_completion_timeout: 5 }],
    [[]],
    ['any where true'],
  ])('is refused: %j', async (body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await send('/many/_eql/search', { method: 'POST', headers, body: JSON.stringify(body) })
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: expect.objectContaining({ reason: expect.any(String) }), status: 400 },
    ])
  })
})
