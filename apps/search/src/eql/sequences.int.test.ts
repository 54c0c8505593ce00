import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'
import { secondsIn } from './sample-events.fixture.ts'

const send = searchOverWire()

/** Writes events a second apart, in order: each is its name, its user and more. */
async function write(index: string, events: readonly (readonly [name: string, user: string | null, more?: object])[]) {
  const lines = events.flatMap(([name, user, more], at) => [
    JSON.stringify({ create: { _id: String(at + 1) } }),
    JSON.stringify({ '@timestamp': secondsIn(at), event: { category: 'process' }, name, user, seq: at, ...more }),
  ])
  const keyword = { type: 'keyword' }
  const properties = {
    '@timestamp': { type: 'date' },
    event: { properties: { category: keyword } },
    name: keyword,
    user: keyword,
    parent: keyword,
    pid: { type: 'long' },
    seq: { type: 'long' },
  }
  await send(`/${index}`, { method: 'PUT', body: { mappings: { properties } } })
  const headers = { 'content-type': 'application/x-ndjson' }
  await send(`/${index}/_bulk`, { method: 'POST', headers, body: `${lines.join('\n')}\n` })
}

interface Answer {
  readonly error?: { readonly type: string; readonly reason: string }
  readonly hits?: {
    readonly total: object
    readonly sequences: readonly {
      readonly join_keys?: readonly unknown[]
      readonly events: readonly { readonly _id: string; readonly missing?: true }[]
    }[]
  }
}

/** The sequences as `keys: ids`; an event that is missing is `!`. */
async function sequences(index: string, query: string, more: object = {}): Promise<string[] | string> {
  const answer = (await send(`/${index}/_eql/search`, { method: 'POST', body: { query, ...more } })).json() as Answer
  if (answer.error) return answer.error.reason
  return (answer.hits?.sequences ?? []).map(({ join_keys: keys, events }) => {
    const ids = events.map(({ _id, missing }) => (missing ? '!' : _id)).join()
    return keys ? `${keys.join()}: ${ids}` : ids
  })
}

const named = (name: string) => `[process where name == "${name}"]`

beforeAll(async () => {
  // The example of Elasticsearch's documentation, "how sequence queries handle matches".
  await write('documented', [
    ['attrib', 'root'],
    ['attrib', 'root'],
    ['bash', 'elkbee'],
    ['bash', 'root'],
    ['bash', 'root'],
    ['attrib', 'elkbee'],
    ['attrib', 'root'],
    ['bash', 'elkbee'],
    ['cat', 'root'],
    ['cat', 'elkbee'],
    ['cat', 'root'],
  ])
  await write('letters', [
    ['a', 'u'],
    ['b', 'u'],
    ['c', 'u'],
    ['a', 'u'],
    ['x', 'u'],
    ['b', 'u'],
    ['a', 'v'],
    ['a', null],
    ['b', null],
  ])
})

describe('a sequence', () => {
  it('is found as documented: the newest pending one of each place and key', async () => {
    const query = `sequence by user ${named('attrib')} ${named('bash')} ${named('cat')}`
    expect(await sequences('documented', query)).toEqual(['root: 2,4,9', 'elkbee: 6,8,10'])
  })

  it.each([
    [`sequence ${named('a')} ${named('b')}`, ['1,2', '4,6', '8,9']],
    [`sequence by user ${named('a')} ${named('b')}`, ['u: 1,2', 'u: 4,6']],
    [`sequence by ?user ${named('a')} ${named('b')}`, ['u: 1,2', 'u: 4,6', ': 8,9']],
    [`sequence by ?unknown ${named('a')} ${named('b')}`, [': 1,2', ': 4,6', ': 8,9']],
    [`sequence with maxspan=1s ${named('a')} ${named('b')}`, ['1,2', '8,9']],
    [`sequence by user with maxspan=2s ${named('a')} ${named('b')}`, ['u: 1,2', 'u: 4,6']],
    [`sequence by user with maxspan=1999ms ${named('a')} ${named('b')}`, ['u: 1,2']],
    [`sequence by user ${named('a')} ${named('b')} until ${named('x')}`, ['u: 1,2']],
    [`sequence ${named('a')} ${named('b')} until [process where name == "x" and user == "v"]`, ['1,2', '4,6', '8,9']],
    [`sequence by user ${named('a')} ${named('b')} until ${named('b')}`, ['u: 1,2', 'u: 4,6']],
    ['sequence by user [process where name in ("a", "b")] with runs=3', ['u: 1,2,4', 'u: 2,4,6']],
    ['sequence by user [any where name == "a"] [any where true] with runs=2 [any where name == "b"]', ['u: 1,2,3,6']],
    [`sequence ${named('a')} ${named('b')} | head 1`, ['1,2']],
    [`sequence ${named('a')} ${named('b')} | tail 1`, ['8,9']],
    [`sequence ${named('a')} ${named('b')} | head 2 | tail 1`, ['4,6']],
  ])('%s', async (query, expected) => {
    expect(await sequences('letters', query)).toEqual(expected)
  })
})

describe('events that must be missing', () => {
  it.each([
    [`![process where name == "x"]`, ['u: 1,!,2']],
    [`![process where name == "x" and seq > 100]`, ['u: 1,!,2', 'u: 4,!,6']],
  ])('goes without events in between: %s', async (missing, expected) => {
    expect(
      await sequences('letters', `sequence by user with maxspan=1m ${named('a')} ${missing} ${named('b')}`),
    ).toEqual(expected)
  })

  it('goes without events before and after', async () => {
    const before = `sequence by user with maxspan=3s !${named('x')} ${named('a')} ${named('b')}`
    expect(await sequences('letters', before)).toEqual(['u: !,1,2', 'u: !,4,6'])
    const late = `sequence by user with maxspan=10s !${named('c')} ${named('a')} ${named('b')}`
    expect(await sequences('letters', late)).toEqual(['u: !,1,2'])
    const after = `sequence by user with maxspan=3s ${named('a')} ${named('b')} !${named('c')}`
    expect(await sequences('letters', after)).toEqual(['u: 4,6,!'])
    const later = `sequence by user with maxspan=1s ${named('a')} ${named('b')} !${named('c')}`
    expect(await sequences('letters', later)).toEqual(['u: 1,2,!'])
  })
})

describe('an answer with sequences', () => {
  it('takes the size and position that are asked for, and small pages', async () => {
    const query = `sequence ${named('a')} ${named('b')}`
    for (const fetch_size of [2, 3, 1000]) {
      expect(await sequences('letters', query, { size: 2, fetch_size })).toEqual(['4,6', '8,9'])
      expect(await sequences('letters', query, { size: 2, fetch_size, result_position: 'head' })).toEqual([
        '1,2',
        '4,6',
      ])
    }
    expect(await sequences('letters', query, { size: 0 })).toEqual([])
    expect(await sequences('letters', query, { filter: { range: { seq: { gte: 3 } } } })).toEqual(['4,6', '8,9'])
  })

  it('shows its join keys and events', async () => {
    const body = {
      query: `sequence by user, event.category with maxspan=1s ${named('a')} ${named('b')}`,
      fields: ['seq'],
    }
    const answer = (await send('/letters/_eql/search', { method: 'POST', body })).json()
    expect(answer).toMatchObject({ is_partial: false, is_running: false, timed_out: false })
    expect((answer as Answer).hits).toEqual({
      total: { value: 1, relation: 'eq' },
      sequences: [
        {
          join_keys: ['u', 'process'],
          events: [
            { _index: 'letters', _id: '1', _source: expect.objectContaining({ name: 'a' }), fields: { seq: [0] } },
            { _index: 'letters', _id: '2', _source: expect.objectContaining({ name: 'b' }), fields: { seq: [1] } },
          ],
        },
      ],
    })
  })
})

describe('a sequence of other keys', () => {
  beforeAll(async () => {
    await write('joined', [
      ['start', 'u', { pid: 7 }],
      ['child', 'w', { parent: 'u', pid: 9_007_199_254_740_992 }],
      ['same', 'w', { pid: 7, '@timestamp': secondsIn(10) }],
      ['next', 'w', { pid: 7, '@timestamp': secondsIn(10), seq: 1 }],
    ])
  })

  it('compares what each item says', async () => {
    expect(await sequences('joined', `sequence ${named('start')} by user ${named('child')} by parent`)).toEqual([
      'u: 1,2',
    ])
    expect(await sequences('joined', `sequence by pid ${named('start')} ${named('same')}`)).toEqual(['7: 1,3'])
  })

  it('orders events of one time by the tiebreaker', async () => {
    const more = { tiebreaker_field: 'seq' }
    expect(await sequences('joined', `sequence ${named('next')} ${named('same')}`, more)).toEqual(['4,3'])
    expect(await sequences('joined', `sequence ${named('same')} ${named('next')}`, more)).toEqual([])
  })
})

describe('a sample', () => {
  beforeAll(async () => {
    await write('sampled', [
      ['b', 'one'],
      ['a', 'one'],
      ['a', 'two'],
      ['a', 'three'],
      ['a', 'three'],
      ['b', 'three'],
      ['b', null],
      ['a', null],
    ])
  })

  it('has one event of each filter for every key, in no order of time', async () => {
    const query = `sample by user ${named('a')} ${named('b')}`
    expect(await sequences('sampled', query)).toEqual(['one: 2,1', 'three: 4,6'])
    expect(await sequences('sampled', query, { size: 1 })).toEqual(['one: 2,1'])
    expect(await sequences('sampled', query, { max_samples_per_key: 2 })).toEqual([
      'one: 2,1',
      'three: 4,6',
      'three: 5,6',
    ])
  })

  it('takes no event twice', async () => {
    expect(await sequences('sampled', 'sample by user [any where true] [any where name == "a"]')).toEqual([
      'one: 1,2',
      'three: 5,4',
    ])
    expect(await sequences('sampled', `sample by user ${named('b')} ${named('b')}`)).toEqual([])
  })
})

beforeAll(async () => {
  const keyword = { type: 'keyword' }
  const properties = {
    '@timestamp': { type: 'date' },
    nano: { type: 'date_nanos' },
    long: { type: 'long' },
    big: { type: 'unsigned_long' },
    double: { type: 'double' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
    date: { type: 'date' },
    text: { type: 'text', fields: { keyword } },
    alias: { type: 'alias', path: 'text.keyword' },
    constant: { type: 'constant_keyword', value: 'same' },
    wild: { type: 'wildcard' },
    flat: { type: 'flattened' },
    low: { type: 'keyword', normalizer: 'lowercase' },
    many: keyword,
  }
  await send('/typed', { method: 'PUT', body: { mappings: { properties } } })
  const typed = {
    long: -5,
    big: '18446744073709551615',
    double: 1.5,
    flag: false,
    ip: '10.0.0.1',
    date: '2026-11-21',
    text: 'A Text',
    wild: 'w',
    flat: { a: 'x' },
    many: ['z', 'a'],
  }
  for (const [at, document] of [{ ...typed, low: 'UP' }, {}, { ...typed, low: 'up' }, {}].entries()) {
    const body = { '@timestamp': secondsIn(at), nano: secondsIn(at), ...document }
    await send(`/typed/_doc/${at + 1}`, { method: 'PUT', body })
  }
})

describe('join keys', () => {
  it.each([
    ['long', '-5'],
    ['big', '18446744073709552000'],
    ['double', '1.5'],
    ['flag', 'false'],
    ['ip', '10.0.0.1'],
    ['date', '2026-11-21T00:00:00.000Z'],
    ['text', 'A Text'],
    ['alias', 'A Text'],
    ['wild', 'w'],
    ['flat.a', 'x'],
    ['low', 'up'],
    ['many', 'a'],
  ])('are of every type: %s', async (field, key) => {
    const two = '[any where true] [any where true]'
    expect(await sequences('typed', `sequence by ${field} ${two}`)).toEqual([`${key}: 1,3`])
    expect(await sequences('typed', `sequence by ?${field} ${two}`)).toEqual([`${key}: 1,3`, ': 2,4'])
    const more = { fetch_size: 2, tiebreaker_field: field }
    expect(await sequences('typed', `sequence by ?${field} ${two}`, more)).toEqual([`${key}: 1,3`, ': 2,4'])
    expect(await sequences('typed', `sample by ${field} ${two}`)).toEqual([`${key}: 3,1`])
  })

  it('are of a runtime field, and of one value', async () => {
    const twice = { type: 'long', script: { source: "if (doc['long'].size() > 0) emit(doc['long'].value * 2)" } }
    const more = { runtime_mappings: { twice } }
    expect(await sequences('typed', 'sequence by twice [any where true] [any where true]', more)).toEqual(['-10: 1,3'])
    expect(await sequences('typed', 'sequence by constant [any where true] [any where true]')).toEqual([
      'same: 1,2',
      'same: 2,3',
      'same: 3,4',
    ])
  })

  it('keep every digit', async () => {
    const body = { query: 'sequence by big [any where true] [any where true]' }
    const answer = await send('/typed/_eql/search', { method: 'POST', body })
    expect(answer.text).toContain('"join_keys":[18446744073709551615]')
  })

  it('are compared at times of nanoseconds', async () => {
    const within = (ms: number) => `sequence by long with maxspan=${ms}ms [any where true] [any where true]`
    const more = { timestamp_field: 'nano' }
    expect(await sequences('typed', within(2000), more)).toEqual(['-5: 1,3'])
    expect(await sequences('typed', within(1999), more)).toEqual([])
  })
})

describe('pages', () => {
  it('lose and double nothing of several indices, whose events are of one time', async () => {
    const one = Array.from({ length: 25 }, (_, at) => [`n${at}`, 'u', { '@timestamp': secondsIn(0) }] as const)
    await write('paged-1', one)
    await write('paged-2', one)
    await send('/paged-2/_mapping', { method: 'PUT', body: { properties: { another: { type: 'keyword' } } } })
    const runs = 'sequence [any where true] with runs=50'
    for (const fetch_size of [2, 3, 7, 10_000]) {
      const found = await sequences('paged-*', runs, { fetch_size })
      expect(found).toHaveLength(1)
      expect(String(found).split(',').sort()).toEqual(one.flatMap((_, at) => [String(at + 1), String(at + 1)]).sort())
      expect(await sequences('paged-*', 'sequence [any where true] with runs=51', { fetch_size })).toEqual([])
    }
  })
})
