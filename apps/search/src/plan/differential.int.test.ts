import { evaluate, type Predicate } from '@logstack/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLowerContext } from '../dsl/lower-context.ts'
import { systemScope } from '../security/role-scope.ts'
import { sql } from '../sql/sql.ts'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { leafRows, planLeaves } from './leaves.ts'

/** Random queries tried; each is answered for all documents of the test at once. */
const cases = Number(process.env['LOGSTACK_CASES'] ?? 100)
const documentsCount = 120
const nowMs = Date.UTC(2026, 10, 21, 12)

const mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    name: { type: 'keyword' },
    text: { type: 'text' },
    n: { type: 'long' },
    u: { type: 'unsigned_long' },
    d: { type: 'double' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    t: { type: 'date' },
    nano: { type: 'date_nanos' },
    inner: { properties: { name: { type: 'keyword' }, n: { type: 'integer' } } },
    span: { type: 'integer_range' },
    days: { type: 'date_range' },
    net: { type: 'ip_range' },
    items: { type: 'nested', properties: { name: { type: 'keyword' }, n: { type: 'long' }, text: { type: 'text' } } },
  },
}

const names = ['a', 'b', 'ab', 'A', '', 'a*', 'x_y', 'x%y', 'ä', "it's", 'back\\slash', '10.0.0.1', 'true', '\u{1f600}']
const words = [
  'red',
  'fox',
  'Red',
  'foxes',
  'a',
  '10.0.0.1',
  'it’s',
  'x-y',
  'Ärger',
  'straße',
  '日本',
  'foo_bar',
  'end.',
]
const dates = [
  '2026-11-21',
  '2026-11-21T10:00:00Z',
  '2026-11-20T23:59:59.999Z',
  '1969-12-31T23:00:00Z',
  '2026-11-21T10:00:00.123456789Z',
]
const addresses = ['10.0.0.1', '10.0.0.200', '192.168.1.1', '::1', '2001:db8::1', '::ffff:10.0.0.1']

const name = fc.constantFrom(...names)
const text = fc.array(fc.constantFrom(...words), { minLength: 0, maxLength: 6 }).map((some) => some.join(' '))
const whole = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 53 - 1, -(2 ** 53) + 1))
const decimal = fc.constantFrom(-1.5, -1, 0, 0.5, 1, 2.25, 1e10)
const date = fc.constantFrom(...dates)
const address = fc.constantFrom(...addresses)

/** Nothing, null, one value, or a list with nulls in it. */
function held<T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: value },
    { weight: 2, arbitrary: fc.array(fc.option(value, { nil: null }), { maxLength: 3 }) },
  )
}

const source = fc.record({
  '@timestamp': fc.oneof(date, fc.constant(undefined)),
  name: held(name),
  text: held(text),
  n: held(whole),
  u: held(fc.nat(3)),
  d: held(decimal),
  b: held(fc.boolean()),
  ip: held(address),
  t: held(date),
  nano: held(date.filter((text) => text > '1970')),
  inner: fc.oneof(
    fc.constant(undefined),
    fc.record({ name: held(name), n: held(whole.filter((n) => Math.abs(n) < 10)) }),
    fc.array(fc.record({ name: held(name), n: held(fc.nat(2)) }), { maxLength: 2 }),
  ),
  span: held(fc.tuple(fc.nat(4), fc.nat(4)).map(([low, wide]) => ({ gte: low, lt: low + wide + 1 }))),
  days: held(
    fc.constantFrom({ gte: '2026-11-20', lte: '2026-11-21' }, { gt: '2026-11-21T10:00:00Z' }, { lt: '2026-01-01' }),
  ),
  net: held(fc.constantFrom('10.0.0.0/24', '::/64', { gte: '192.168.0.0', lte: '192.168.255.255' })),
  items: fc.oneof(
    fc.constant(undefined),
    fc.record({ name: held(name), n: held(fc.nat(3)) }),
    fc.array(fc.record({ name: held(name), n: held(fc.nat(3)), text: held(text) }), { maxLength: 3 }),
  ),
})

const range = (value: fc.Arbitrary<unknown>) =>
  fc
    .record({
      low: fc.constantFrom('gt', 'gte'),
      a: value,
      high: fc.constantFrom('lt', 'lte'),
      b: value,
      ends: fc.constantFrom(1, 2, 3),
    })
    .map(({ low, a, high, b, ends }) => ({ ...(ends & 1 ? { [low]: a } : {}), ...(ends & 2 ? { [high]: b } : {}) }))
const fields: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
  ['name', name],
  ['n', whole],
  ['u', fc.nat(3)],
  ['d', decimal],
  ['b', fc.boolean()],
  ['ip', address],
  ['t', date],
  ['nano', date],
  ['@timestamp', date],
  ['inner.name', name],
  ['inner.n', fc.integer({ min: -3, max: 3 })],
]
const onField = fc.constantFrom(...fields).chain(([field, value]) =>
  fc.oneof(
    value.map((given) => ({ term: { [field]: given } })),
    fc.array(value, { maxLength: 3 }).map((given) => ({ terms: { [field]: given } })),
    field === 'b' ? fc.constant({ exists: { field } }) : range(value).map((given) => ({ range: { [field]: given } })),
    fc.constant({ exists: { field } }),
  ),
)
const pattern = fc
  .array(fc.constantFrom('a', 'b', 'x', '*', '?', '_', '%', '\\*', 'ä', 'R'), { maxLength: 4 })
  .map((parts) => parts.join(''))
const onText = fc.oneof(
  text.map((query) => ({ match: { text: query } })),
  text.map((query) => ({ match: { text: { query, operator: 'and' } } })),
  fc
    .tuple(text, fc.constantFrom('2', '50%', '-1'))
    .map(([query, minimum]) => ({ match: { text: { query, minimum_should_match: minimum } } })),
  fc.tuple(text, fc.nat(3)).map(([query, slop]) => ({ match_phrase: { text: { query, slop } } })),
  text.map((query) => ({ match_phrase_prefix: { text: query } })),
  text.map((query) => ({ match_bool_prefix: { text: query } })),
  fc.constantFrom('fo*', '?ed', '*x*', 'r?d', 'Red').map((value) => ({ wildcard: { text: value } })),
  fc.constantFrom('fo.*', '[a-f]ox', 'red|fox').map((value) => ({ regexp: { text: value } })),
  fc.constant({ exists: { field: 'text' } }),
)
const onName = fc.oneof(
  fc
    .tuple(pattern, fc.boolean())
    .map(([value, insensitive]) => ({ wildcard: { name: { value, case_insensitive: insensitive } } })),
  fc
    .tuple(name, fc.boolean())
    .map(([value, insensitive]) => ({ prefix: { name: { value, case_insensitive: insensitive } } })),
  fc.constantFrom('a.*', '[ab]+', 'x.y', '', 'a\\*', '<1-12>.*').map((value) => ({ regexp: { 'inner.name': value } })),
  fc.constant({ exists: { field: 'inner' } }),
)
const relation = fc.constantFrom('intersects', 'contains', 'within')
const onSpan = fc.oneof(
  fc
    .tuple(fc.nat(8), fc.nat(3), relation)
    .map(([low, wide, lies]) => ({ range: { span: { gte: low, lte: low + wide, relation: lies } } })),
  fc.nat(9).map((value) => ({ term: { span: value } })),
  fc.tuple(date, relation).map(([from, lies]) => ({ range: { days: { gte: from, relation: lies } } })),
  fc.constantFrom('10.0.0.1', '10.0.0.0/8', '::1', '192.168.1.1').map((value) => ({ term: { net: value } })),
  fc.constantFrom('span', 'days', 'net').map((field) => ({ exists: { field } })),
)
const onItem = fc.oneof(
  name.map((value) => ({ term: { 'items.name': value } })),
  fc.nat(3).map((value) => ({ range: { 'items.n': { gte: value } } })),
  text.map((value) => ({ match: { 'items.text': value } })),
  fc.constantFrom('items.name', 'items.n').map((field) => ({ exists: { field } })),
)
const onItems = fc
  .record({ must: fc.array(onItem, { maxLength: 2 }), must_not: fc.array(onItem, { maxLength: 1 }) })
  .map((bool) => ({ nested: { path: 'items', query: { bool } } }))
const fuzzy = fc.oneof(
  fc.constantFrom('fxo', 'rde', 'foxs', 'ox', 'a').map((value) => ({ fuzzy: { text: { value, fuzziness: 1 } } })),
  fc
    .tuple(fc.constantFrom('ab', 'ba', 'x_', 'tru', '10.0.0.2'), fc.nat(1))
    .map(([value, prefix]) => ({ fuzzy: { name: { value, fuzziness: 1, prefix_length: prefix } } })),
)
const query = fc.letrec((tie) => ({
  leaf: fc.oneof(onField, onText, onName, onSpan, onItems, fuzzy),
  query: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.record({
      bool: fc.record({
        must: fc.array(tie('query'), { maxLength: 2 }),
        must_not: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 3 }),
        minimum_should_match: fc.constantFrom(0, 1, 2),
      }),
    }),
  ),
})).query

let services: TestServices
const sources = new Map<string, unknown>()

beforeAll(async () => {
  services = await openTestServices(() => nowMs)
  await services.create('random', mapping)
  const seed = Number(process.env['LOGSTACK_SEED'] ?? 7)
  const drawn = fc.sample(source, { numRuns: documentsCount, seed })
  for (const [at, each] of drawn.entries()) sources.set(String(at), JSON.parse(JSON.stringify(each)) as unknown)
  await services.write('random', [...sources])
})
afterAll(() => services.close())

async function found(given: unknown): Promise<string[]> {
  const [resolved] = services.catalogue.resolve('random', {
    ignoreUnavailable: false,
    allowNoIndices: false,
    expand: ['open'],
    forbidClosed: true,
  })
  if (!resolved) throw new Error('BUG: the index is gone')
  const [leaf] = planLeaves(services, { indices: [resolved], scope: systemScope, query: given, nowMs })
  if (!leaf) throw new Error('BUG: no leaf')
  const { from, where } = leafRows(services, leaf)
  const rows = await services.engine.rows(sql`SELECT _id FROM ${from} WHERE ${where}`)
  return rows.map(([id]) => String(id))
}

function lowered(given: unknown): Predicate {
  const index = services.catalogue.index('random')
  if (!index) throw new Error('BUG: the index is gone')
  return createLowerContext({ index, fields: services.catalogue.fields(index), scope: systemScope, nowMs }).lower(given)
}

it(`finds in ${documentsCount} documents what the evaluator finds, for ${cases} queries`, async () => {
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const predicate = lowered(given)
      const ids = new Set(await found(given))
      const wrong = [...sources].filter(([id, each]) => evaluate(predicate, each, { _id: id }) !== ids.has(id))
      expect({ predicate, wrong: wrong.slice(0, 3) }).toEqual({ predicate, wrong: [] })
    }),
    { numRuns: cases, ...(process.env['LOGSTACK_SEED'] ? { seed: Number(process.env['LOGSTACK_SEED']) } : {}) },
  )
}, 600_000)
