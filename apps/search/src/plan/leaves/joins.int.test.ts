import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()

/** A document of one family: what it is, whose child it is, and what is looked for in it. */
interface Member {
  readonly id: string
  readonly kind: 'p' | 'c' | 'd' | 'e'
  readonly parent: string | undefined
  readonly n: number
  readonly word: string
}

type Json = Record<string, unknown>
const words = ['red', 'green', 'blue']
const above = { p: undefined, c: 'p', d: 'p', e: 'd' } as const

/** Numbers below a bound, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Families of three generations; a few children have parents that are not there, or are of another kind. */
function family(next: (below: number) => number, size: number): readonly Member[] {
  const kinds = ['p', 'c', 'd', 'e'] as const
  return Array.from({ length: size }, (_, at) => {
    const kind = kinds[next(4)] ?? 'p'
    const parent = above[kind] === undefined ? undefined : String(next(size + 3))
    return { id: String(at), kind, parent, n: next(9), word: words[next(3)] ?? '' }
  })
}

async function ask(path: string, body?: unknown, auth?: string): Promise<Json> {
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await send(path, {
    method,
    ...(body === undefined ? {} : { body: body as object }),
    ...(auth ? { auth } : {}),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json() as Json
}

async function put(path: string, body: object): Promise<void> {
  const answer = await send(path, { method: 'PUT', body })
  expect(answer.status, answer.text).toBeLessThan(300)
}

async function store(index: string, members: readonly Member[]): Promise<void> {
  await put(`/${index}`, {
    mappings: {
      properties: {
        j: { type: 'join', relations: { p: ['c', 'd'], d: 'e' } },
        n: { type: 'long' },
        word: { type: 'keyword' },
      },
    },
  })
  const lines = members.flatMap(({ id, kind, parent, n, word }) => [
    { index: { _index: index, _id: id, routing: 'one' } },
    { j: parent === undefined ? kind : { name: kind, parent }, n, word },
  ])
  const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = await send('/_bulk?refresh=true', { method: 'POST', body, headers })
  expect((answer.json() as Json)['errors']).toBe(false)
}

/** A query of the test, with what it means of one member among all. */
interface Asked {
  readonly query: Json
  holds(member: Member): boolean
}

function leaf(next: (below: number) => number): Asked {
  const word = words[next(3)] ?? ''
  const n = next(9)
  if (next(2) === 0) return { query: { term: { word } }, holds: (member) => member.word === word }
  return { query: { range: { n: { gte: n } } }, holds: (member) => member.n >= n }
}

function clause(next: (below: number) => number, all: readonly Member[], depth: number): Asked {
  const choice = depth === 0 ? 0 : next(7)
  if (choice === 0) return leaf(next)
  if (choice === 6) return several(next, all, depth - 1)
  const inner = clause(next, all, depth - 1)
  if (choice === 1) return { query: { bool: { must_not: inner.query } }, holds: (member) => !inner.holds(member) }
  if (choice === 2) {
    const other = clause(next, all, depth - 1)
    return {
      query: { bool: { filter: [inner.query, other.query] } },
      holds: (member) => inner.holds(member) && other.holds(member),
    }
  }
  if (choice < 5) {
    const type = (['c', 'd', 'e'] as const)[next(3)] ?? 'c'
    const least = 1 + next(2)
    const most = least + next(3)
    return {
      query: { has_child: { type, query: inner.query, min_children: least, max_children: most } },
      holds(member) {
        if (member.kind !== above[type]) return false
        const found = all.filter((child) => child.kind === type && child.parent === member.id && inner.holds(child))
        return found.length >= least && found.length <= most
      },
    }
  }
  const type = next(2) === 0 ? 'p' : 'd'
  return {
    query: { has_parent: { parent_type: type, query: inner.query } },
    holds: (member) =>
      above[member.kind] === type &&
      all.some((parent) => parent.kind === type && parent.id === member.parent && inner.holds(parent)),
  }
}

/** Several joins to few relations, one of which holds, or none of them. */
function several(next: (below: number) => number, all: readonly Member[], depth: number): Asked {
  const joins = Array.from({ length: 2 + next(3) }, () => {
    const inner = clause(next, all, depth)
    const type = next(2) === 0 ? ('c' as const) : ('d' as const)
    const query = { has_child: { type, query: inner.query } }
    const isOne = (child: Member) => child.kind === type && inner.holds(child)
    const holds = (member: Member) =>
      member.kind === 'p' && all.some((child) => child.parent === member.id && isOne(child))
    return { query, holds }
  })
  const queries = joins.map(({ query }) => query)
  const any = (member: Member) => joins.some(({ holds }) => holds(member))
  return next(2) === 0
    ? { query: { bool: { should: queries } }, holds: any }
    : { query: { bool: { must_not: queries } }, holds: (member) => !any(member) }
}

const hitsOf = (answer: Json) => (answer['hits'] as { hits: Json[] }).hits
const idsOf = (answer: Json) => hitsOf(answer).map(({ _id }) => Number(_id))

it('finds, scores and counts as the families say', async () => {
  const next = numbers(17)
  const all = family(next, 120)
  await store('trees', all)
  // Another index of the same mapping, and so of the same table, with the same ids.
  await store('others', family(next, 120))
  for (let round = 0; round < 90; round++) {
    const asked = clause(next, all, 3)
    const found = await ask('/trees/_search', { size: 200, sort: ['n', '_seq_no'], query: asked.query })
    const wanted = all.filter(asked.holds).map(({ id }) => Number(id))
    expect(
      idsOf(found).sort((a, b) => a - b),
      JSON.stringify(asked.query),
    ).toEqual(wanted)
  }
  const scored = { function_score: { query: { match_all: {} }, field_value_factor: { field: 'n' } } }
  for (const [mode, join] of Object.entries({
    sum: (of: number[]) => of.reduce((sum, each) => sum + each, 0),
    avg: (of: number[]) => of.reduce((sum, each) => sum + each, 0) / of.length,
    min: (of: number[]) => Math.min(...of),
    max: (of: number[]) => Math.max(...of),
  })) {
    const query = { has_child: { type: 'c', query: scored, score_mode: mode } }
    const found = await ask('/trees/_search', { size: 200, query })
    const scores = Object.fromEntries(hitsOf(found).map(({ _id, _score }) => [_id, _score]))
    const wanted = all.flatMap((member) => {
      const of = all.filter(({ kind, parent }) => kind === 'c' && parent === member.id).map(({ n }) => n)
      return member.kind === 'p' && of.length > 0 ? [[member.id, Math.fround(join(of))]] : []
    })
    for (const [id, score] of wanted) expect(scores[String(id)], `${mode} of ${id}`).toBeCloseTo(Number(score), 5)
    expect(Object.keys(scores)).toHaveLength(wanted.length)
  }
})

it('shows inner hits and aggregates over joined documents as the families say', async () => {
  const next = numbers(23)
  const all = family(next, 150)
  await store('counted', all)
  const childrenOf = (parents: readonly Member[], type: Member['kind']) =>
    all.filter(
      (child) => child.kind === type && parents.some(({ kind, id }) => kind === above[type] && id === child.parent),
    )
  const aggs = {
    word: {
      terms: { field: 'word' },
      aggs: {
        c: { children: { type: 'c' }, aggs: { n: { sum: { field: 'n' } } } },
        d: { children: { type: 'd' }, aggs: { e: { children: { type: 'e' } } } },
        up: { parent: { type: 'c' }, aggs: { n: { sum: { field: 'n' } } } },
      },
    },
  }
  const answer = await ask('/counted/_search', { size: 0, query: { range: { n: { gte: 3 } } }, aggs })
  const { buckets } = (answer['aggregations'] as { word: { buckets: Json[] } }).word
  expect(buckets).toHaveLength(3)
  const sum = (of: readonly Member[]) => of.reduce((total, { n }) => total + n, 0)
  for (const bucket of buckets) {
    const own = all.filter(({ word, n }) => word === bucket['key'] && n >= 3)
    const [c, d] = [childrenOf(own, 'c'), childrenOf(own, 'd')]
    const up = all.filter(
      ({ kind, id }) => kind === 'p' && own.some((child) => child.kind === 'c' && child.parent === id),
    )
    expect(bucket).toEqual({
      key: bucket['key'],
      doc_count: own.length,
      c: { doc_count: c.length, n: { value: sum(c) } },
      d: { doc_count: d.length, e: { doc_count: childrenOf(d, 'e').length } },
      up: { doc_count: up.length, n: { value: sum(up) } },
    })
  }
  const inner_hits = { size: 50, sort: ['n', '_seq_no'], _source: false }
  const query = {
    has_child: { type: 'd', query: { has_child: { type: 'e', query: { match_all: {} }, inner_hits } }, inner_hits },
  }
  for (const hit of hitsOf(await ask('/counted/_search', { size: 200, query }))) {
    const parent = all.filter(({ id }) => id === hit['_id'])
    const shown = hitsOf((hit['inner_hits'] as { d: Json }).d)
    const wanted = childrenOf(parent, 'd').filter((d) => childrenOf([d], 'e').length > 0)
    expect(shown.map(({ _id }) => Number(_id)).sort()).toEqual(wanted.map(({ id }) => Number(id)).sort())
    for (const child of shown) {
      const grandchildren = idsOf((child['inner_hits'] as { e: Json }).e)
      const those = childrenOf(
        all.filter(({ id }) => id === child['_id']),
        'e',
      ).map(({ id }) => Number(id))
      expect(grandchildren.sort()).toEqual(those.sort())
    }
  }
})

it('tells nobody of joined documents that are hidden from him, nor of their hidden fields', async () => {
  await store('secrets', [
    { id: '1', kind: 'p', parent: undefined, n: 1, word: 'open' },
    { id: '2', kind: 'p', parent: undefined, n: 2, word: 'open' },
    { id: '3', kind: 'c', parent: '1', n: 3, word: 'secret' },
    { id: '4', kind: 'c', parent: '2', n: 4, word: 'open' },
    { id: '5', kind: 'p', parent: undefined, n: 5, word: 'secret' },
    { id: '6', kind: 'c', parent: '5', n: 6, word: 'open' },
  ])
  const rights = { names: ['secrets'], privileges: ['read'] }
  await put('/_security/role/some', { indices: [{ ...rights, query: { term: { word: 'open' } } }] })
  await put('/_security/role/few', { indices: [{ ...rights, field_security: { grant: ['j*', 'word'] } }] })
  await put('/_security/role/unjoined', { indices: [{ ...rights, field_security: { grant: ['n', 'word'] } }] })
  for (const name of ['some', 'few', 'unjoined'])
    await put(`/_security/user/${name}`, { password: 'a-long-password', roles: [name] })
  const asks = (name: string, body: unknown) => ask('/secrets/_search', body, `${name}:a-long-password`)
  const child = (query: Json, more: Json = {}) => ({ query: { has_child: { type: 'c', query, ...more } } })
  const everything = { match_all: {} }
  expect(idsOf(await asks('some', child(everything)))).toEqual([2])
  expect(idsOf(await asks('some', { query: { has_parent: { parent_type: 'p', query: everything } } }))).toEqual([4])
  const negated = { query: { bool: { must_not: child(everything).query } }, sort: ['n'] }
  expect(idsOf(await asks('some', negated))).toEqual([1, 4, 6])
  const aggs = { c: { children: { type: 'c' } }, p: { parent: { type: 'c' } } }
  const counted = await asks('some', { size: 0, aggs })
  expect(counted['aggregations']).toEqual({ c: { doc_count: 1 }, p: { doc_count: 1 } })
  expect(idsOf(await asks('few', child({ range: { n: { gte: 0 } } })))).toEqual([])
  expect(idsOf(await asks('few', child({ term: { word: 'secret' } })))).toEqual([1])
  const [shown] = hitsOf(await asks('few', child({ term: { word: 'secret' } }, { inner_hits: {} })))
  const [inner] = hitsOf((shown as { inner_hits: { c: Json } }).inner_hits.c)
  expect(inner?.['_source']).toEqual({ j: { name: 'c', parent: '1' }, word: 'secret' })
  expect(idsOf(await asks('unjoined', child(everything)))).toEqual([])
  const none = await asks('unjoined', { size: 0, aggs })
  expect(none['aggregations']).toEqual({ c: { doc_count: 0 }, p: { doc_count: 0 } })
})

it('takes as many joins within each other as the engine has time to think about, and refuses more', async () => {
  await store('deep', [
    { id: '1', kind: 'p', parent: undefined, n: 1, word: 'red' },
    { id: '2', kind: 'c', parent: '1', n: 2, word: 'red' },
  ])
  const nested = (levels: number, scores: boolean) => {
    let query: Json = { term: { word: 'red' } }
    for (let at = levels; at > 0; at--)
      query =
        at % 2 === 1
          ? { has_child: { type: 'c', score_mode: scores ? 'sum' : 'none', query } }
          : { has_parent: { parent_type: 'p', score: scores, query } }
    return { query }
  }
  expect(idsOf(await ask('/deep/_search', nested(10, false)))).toEqual([1])
  expect(idsOf(await ask('/deep/_search', nested(5, true)))).toEqual([1])
  for (const [body, reason] of [
    [nested(11, false), 'more than [10] joining queries are within each other'],
    [nested(6, true), 'more than [5] joining queries that score are within each other'],
  ] as const) {
    const refused = await send('/deep/_search', { method: 'POST', body })
    expect(refused.status).toBe(400)
    expect((refused.json() as { error: Json }).error).toMatchObject({ type: 'illegal_argument_exception', reason })
  }
})

it('aggregates over families of several join fields in one request, each by the field of its own index', async () => {
  const families = {
    'families-j': { j: { type: 'join', relations: { p: 'c', x: 'y' } }, q: { type: 'keyword' } },
    'families-q': { q: { type: 'join', relations: { p: 'c' } } },
    'families-x': { j: { type: 'join', relations: { x: 'c' } } },
    'families-none': { j: { type: 'keyword' } },
  }
  for (const [index, properties] of Object.entries(families)) await put(`/${index}`, { mappings: { properties } })
  const documents: readonly (readonly [string, string, Json])[] = [
    ['families-j', '1', { j: 'p', q: 'c' }],
    ['families-j', '2', { j: { name: 'c', parent: '1' } }],
    ['families-j', '3', { j: 'x' }],
    ['families-j', '4', { j: { name: 'y', parent: '3' }, q: 'p' }],
    ['families-q', '1', { q: 'p' }],
    ['families-q', '2', { q: { name: 'c', parent: '1' } }],
    ['families-q', '3', { q: { name: 'c', parent: '1' } }],
    ['families-x', '3', { j: 'x' }],
    ['families-x', '4', { j: { name: 'c', parent: '3' } }],
    ['families-none', '3', { j: 'x' }],
    ['families-none', '4', { j: 'c' }],
  ]
  for (const [index, id, document] of documents) await put(`/${index}/_doc/${id}?routing=1&refresh=true`, document)
  const by = { aggs: { at: { terms: { field: '_index', order: { _key: 'asc' } } } } }
  const aggs = { c: { children: { type: 'c' }, ...by }, p: { parent: { type: 'c' }, ...by } }
  const answer = await ask('/families-*/_search', { size: 0, aggs })
  const counts = (name: string) => {
    const { at } = (answer['aggregations'] as Record<string, { at: { buckets: Json[] } }>)[name] ?? {}
    return at?.buckets.map(({ key, doc_count }) => [key, doc_count])
  }
  expect(counts('c')).toEqual([
    ['families-j', 1],
    ['families-q', 2],
    ['families-x', 1],
  ])
  expect(counts('p')).toEqual([
    ['families-j', 1],
    ['families-q', 1],
    ['families-x', 1],
  ])
})

it('shows inner hits of what hits match, and of nothing that only scores, counts or excludes', async () => {
  await store('inner', [
    { id: '1', kind: 'p', parent: undefined, n: 1, word: 'red' },
    { id: '2', kind: 'c', parent: '1', n: 2, word: 'red' },
  ])
  const red = { term: { word: 'red' } }
  const named = (name: string) => ({ has_child: { type: 'c', query: red, inner_hits: { name } } })
  const shownBy = async (body: Json) => {
    const [hit] = hitsOf(await ask('/inner/_search', { ...body, size: 1, sort: ['n'] }))
    return Object.keys((hit?.['inner_hits'] as Json | undefined) ?? {})
  }
  const all = { match_all: {} }
  expect(
    await shownBy({ query: { bool: { filter: named('a'), should: named('b') } }, post_filter: named('c') }),
  ).toEqual(['a', 'b', 'c'])
  expect(await shownBy({ query: { bool: { must_not: { bool: { must_not: named('a') } } } } })).toEqual([])
  expect(await shownBy({ query: all, aggs: { a: { filter: named('a') } } })).toEqual([])
  const functions = [{ filter: named('b'), weight: 2 }]
  expect(await shownBy({ query: { function_score: { query: named('a'), functions } } })).toEqual(['a'])
})
