import type { Mapping } from '../../model/mapping.ts'

/** Chances that come again with their seed. */
export interface Chances {
  /** From 0 to below 1. */
  random(): number
  pick<T>(of: readonly T[]): T
}

/** Chances of a seed (mulberry32). */
export function seeded(seed: number): Chances {
  let state = seed
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(of: readonly T[]): T => {
    const picked = of[Math.floor(random() * of.length)]
    if (picked === undefined) throw new Error('BUG: nothing to pick from')
    return picked
  }
  return { random, pick }
}

const keyword = { type: 'keyword' }

/** Fields of all kinds that are columns of texts; `w-…` has some of other types. */
export function valuesMapping(index: string): Mapping {
  const other = index.startsWith('w-')
  return {
    properties: {
      host: other ? { type: 'text' } : keyword,
      level: { type: 'keyword', ignore_above: 6, null_value: 'none' },
      name: { type: 'text', fields: { raw: { ...keyword, ignore_above: 12 } } },
      copy: keyword,
      from: { type: 'keyword', copy_to: 'copy' },
      wild: { type: 'wildcard' },
      one: { type: 'constant_keyword', value: index },
      flat: { type: 'flattened' },
      n: other ? keyword : { type: 'long' },
      nanos: { type: 'date_nanos' },
      ip: { type: 'ip' },
      short: { type: 'alias', path: 'level' },
      parts: { type: 'nested', properties: { host: keyword } },
    },
  }
}

const values = [
  'h1',
  'h2',
  'H1',
  'h12',
  'info',
  'warn',
  'Warning',
  'none',
  '',
  ' ',
  'Debian GNU/Linux',
  'debian',
  'linux debian',
  'Windows Server 2019',
  'a-b-c',
  'über',
  'ÜBER',
  'ſ',
  'Kelvin \u212a',
  '2026-01-01T00:00:00.000000001Z',
  '10.0.0.1',
  '7',
  'true',
  'x'.repeat(40),
  'ü'.repeat(150),
  '*',
  'h?',
  'foo_bar foo.bar',
] as const

function randomValue({ random, pick }: Chances): unknown {
  const chance = random()
  if (chance < 0.08) return null
  if (chance < 0.1) return []
  if (chance < 0.3) return Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick([...values, null]))
  if (chance < 0.34) return `${pick(values)} ${Math.floor(random() * 1000)}`
  return pick(values)
}

const texts = ['host', 'level', 'name', 'from', 'wild', 'os', 'deep.er'] as const

/** A document with some of the fields. */
export function randomDocument(chances: Chances): Record<string, unknown> {
  const { random, pick } = chances
  const given = texts.filter(() => random() < 0.6).map((field) => [field, randomValue(chances)])
  return {
    ...Object.fromEntries(given),
    ...(random() < 0.5 ? { n: Math.floor(random() * 20) } : {}),
    ...(random() < 0.3 ? { nanos: pick(['2026-01-01T00:00:00.000000001Z', '2026-01-01']) } : {}),
    ...(random() < 0.3 ? { ip: pick(['10.0.0.1', '::1']) } : {}),
    ...(random() < 0.3 ? { flat: { a: pick(values), b: [pick(values), 'h1'] } } : {}),
    ...(random() < 0.3 ? { parts: [{ host: pick(values) }, { host: 'h1' }] } : {}),
  }
}

const asked = ['host', 'level', 'name', 'name.raw', 'copy', 'wild', 'os', 'os.keyword'] as const
const fields = [...asked, 'deep.er', 'one', 'flat', 'flat.a', 'short', 'parts.host', 'r', 'nowhere'] as const

const words = [
  ...values,
  'h0',
  'h0',
  'server',
  'LINUX',
  'foo',
  'bar',
  'windows 2019',
  'gnu linux',
  'v-1',
  '123',
  'nothing',
] as const

type Query = Readonly<Record<string, unknown>>

const leaves: readonly ((chances: Chances) => Query)[] = [
  ({ pick }) => ({ multi_match: { query: pick(words), lenient: true } }),
  ({ pick }) => ({ multi_match: { query: pick(words), lenient: true, type: 'phrase' } }),
  ({ pick }) => ({ multi_match: { query: pick(words), lenient: true, type: 'cross_fields', operator: 'and' } }),
  ({ pick }) => ({ multi_match: { query: pick(words), lenient: true, fields: [pick(fields), pick(fields), 'o*'] } }),
  ({ pick }) => ({ multi_match: { query: pick(words), lenient: true, fuzziness: 'AUTO' } }),
  ({ pick }) => ({ multi_match: { query: pick(words), lenient: true, type: 'bool_prefix' } }),
  ({ pick }) => ({ query_string: { query: pick(['h*', '*indow*', 'deb?an', '"gnu linux"', 'NOT h1', 'h1 OR über']) } }),
  ({ pick }) => ({ query_string: { query: pick(['warn* AND h1', 'host:h1', 'level:(info OR none)', '_exists_:os']) } }),
  ({ pick }) => ({ query_string: { query: pick(['/h[12]/', 'Ü*', 'linux~1', 'os:[a TO e]', '*']), lenient: true } }),
  ({ pick }) => ({ simple_query_string: { query: pick(words), default_operator: pick(['and', 'or']) } }),
  ({ pick }) => ({ term: { [pick(fields)]: pick(words) } }),
  ({ pick }) => ({ term: { [pick(fields)]: { value: pick(words), case_insensitive: true } } }),
  ({ pick }) => ({ terms: { [pick(fields)]: [pick(words), pick(words), pick(words)] } }),
  ({ pick }) => ({ prefix: { [pick(fields)]: pick(['h', 'H', 'wi', 'ü', '', 'de']) } }),
  ({ pick }) => ({ wildcard: { [pick(fields)]: pick(['*', 'h*', '*i*', '?1', 'Ü*', '\\*', '*linux*']) } }),
  ({ pick }) => ({
    wildcard: { [pick(fields)]: { value: pick(['H*', '*LINUX*', 'ü*', 's*', '*K*']), case_insensitive: true } },
  }),
  ({ pick }) => ({
    fuzzy: { [pick(fields)]: { value: pick(['h1', 'debain', 'wran', 'infö']), fuzziness: pick([1, 2]) } },
  }),
  ({ pick }) => ({ regexp: { [pick(fields)]: pick(['h.*', '[a-i].*', '.*indows.*', 'ü+']) } }),
  ({ pick }) => ({ match: { [pick(fields)]: pick(words) } }),
  ({ pick }) => ({
    match: { [pick(fields)]: { query: 'windows linux h1', minimum_should_match: pick([1, 2, '67%']) } },
  }),
  ({ pick }) => ({ match_phrase: { [pick(fields)]: { query: pick(words), slop: pick([0, 1]) } } }),
  ({ pick }) => ({ match_phrase_prefix: { [pick(fields)]: pick(['windows ser', 'gnu l', 'deb', 'h']) } }),
  ({ pick }) => ({ exists: { field: pick(fields) } }),
  ({ pick }) => ({ nested: { path: 'parts', query: { match: { 'parts.host': pick(words) } } } }),
]

function randomQuery(chances: Chances, depth = 2): Query {
  const { random, pick } = chances
  if (depth === 0 || random() < 0.5) return pick(leaves)(chances)
  const some = () => Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomQuery(chances, depth - 1))
  return pick([
    () => ({ bool: { must: some(), must_not: some() } }),
    () => ({ bool: { should: some(), filter: some() } }),
    () => ({ bool: { should: [...some(), ...some()], minimum_should_match: pick([1, 2, -1]) } }),
    () => ({ bool: { must_not: some() } }),
    () => ({ dis_max: { queries: some(), tie_breaker: 0.3 } }),
    () => ({ constant_score: { filter: randomQuery(chances, depth - 1), boost: 2 } }),
  ])()
}

const runtime = (chances: Chances): Query => ({
  r: { type: 'keyword', script: "emit(doc['level'].size() == 0 ? 'no' : doc['level'].value)" },
  ...(chances.random() < 0.8 ? { host: { type: 'keyword', script: "emit('h' + doc['level'].size())" } } : {}),
})

/** A search whose conditions are on many columns of texts. */
export function randomRequest(chances: Chances): Query {
  const { random, pick } = chances
  const query = () => randomQuery(chances)
  const filters = random() < 0.4 ? { a: { filters: { filters: [query(), query()] } } } : {}
  const single = random() < 0.2 ? { b: { filter: query(), aggs: { c: { terms: { field: 'level' } } } } } : {}
  return {
    query: random() < 0.15 ? { match_all: {} } : query(),
    size: pick([0, 3, 20, 400]),
    _source: false,
    track_total_hits: pick([true, true, 5, false]),
    ...(random() < 0.5 ? { sort: pick([['_doc'], [{ _score: 'desc' }, '_doc'], [{ level: 'asc' }, '_doc']]) } : {}),
    ...(random() < 0.35 ? { runtime_mappings: runtime(chances) } : {}),
    ...(random() < 0.2 ? { post_filter: query() } : {}),
    aggs: { ...filters, ...single },
  }
}
