import fc from 'fast-check'

/** The mapping that random documents fit. */
export const mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    name: { type: 'keyword' },
    one: { type: 'keyword' },
    x: { type: 'double' },
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
    at: { type: 'geo_point' },
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
/** Moments that nanoseconds of 64 bits can say. */
const nanoDate = date.filter((text) => text > '1970')
const address = fc.constantFrom(...addresses)

const point = fc
  .tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -179, max: 180 }))
  .chain(([lat, lon]) => fc.constantFrom<unknown>({ lat, lon }, `${lat},${lon}`, [lon, lat], `POINT (${lon} ${lat})`))

/** Nothing, null, one value, or a list with nulls in it. */
function held<T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: value },
    { weight: 2, arbitrary: fc.array(fc.option(value, { nil: null }), { maxLength: 3 }) },
  )
}

/** A random document. */
export const source = fc.record({
  '@timestamp': fc.oneof(date, fc.constant(undefined)),
  name: held(name),
  one: fc.option(fc.constantFrom('red', 'green', 'blue', 'Red'), { nil: undefined }),
  x: fc.option(fc.constantFrom(-2.5, -1, 0, 0.25, 1, 3, 8), { nil: undefined }),
  text: held(text),
  n: held(whole),
  u: held(fc.nat(3)),
  d: held(decimal),
  b: held(fc.boolean()),
  ip: held(address),
  t: held(date),
  nano: held(nanoDate),
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
  at: fc.oneof(fc.constant(undefined), point, fc.array(point, { minLength: 1, maxLength: 2 })),
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
  ['nano', nanoDate],
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
  fc.constantFrom('10.0.0.1', '10.0.0.255', '::1', '192.168.1.1').map((value) => ({ term: { net: value } })),
  fc.constantFrom('span', 'days', 'net').map((field) => ({ exists: { field } })),
)
const side = fc.integer({ min: -170, max: 170 })
const onPoint = fc.oneof(
  fc
    .tuple(side, fc.constantFrom(1, 1234, 7890))
    .map(([lon, km]) => ({ geo_distance: { at: { lat: lon / 2.5, lon }, distance: `${km}.5km` } })),
  fc.tuple(side, fc.integer({ min: 1, max: 340 }), fc.integer({ min: -70, max: 70 })).map(([left, wide, top]) => ({
    geo_bounding_box: {
      at: { left: left + 0.5, right: ((left + 170 + wide) % 341) - 169.5, top: top + 0.5, bottom: top - 15.5 },
    },
  })),
  side.map((lon) => ({ geo_polygon: { at: { points: [`0.1,${lon}`, `60.3,${lon / 2}`, '-30.7,0.3'] } } })),
  fc.constant({ exists: { field: 'at' } }),
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
/** A random query over such documents. */
export const query = fc.letrec((tie) => ({
  leaf: fc.oneof(onField, onText, onName, onSpan, onPoint, onItems, fuzzy),
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
