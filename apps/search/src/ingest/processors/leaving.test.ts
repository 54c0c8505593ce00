import { isAppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../model/scope.ts'
import { buildPipeline } from '../build-pipeline.ts'
import { IngestDocument } from '../ingest-document.ts'
import { runPipeline } from '../run-steps.ts'
import { noSources } from '../testing/no-sources.ts'

type Source = Record<string, unknown>

const anna: Principal = { username: 'anna', roles: ['writer'], realm: 'native', details: { email: 'a@b.example' } }

/** What pipelines make of a source in an index; the first is run, the others are those that it may call. */
function run(
  pipelines: Readonly<Record<string, readonly unknown[]>>,
  source: Source,
  principal?: Principal,
  index = 'logs-app-default',
) {
  const built = Object.entries(pipelines).map(
    ([id, processors]) => [id, buildPipeline(id, { processors }, noSources)] as const,
  )
  const [first] = built
  if (!first) throw new Error('BUG: no pipeline')
  const document = new IngestDocument(structuredClone(source), { _index: index, _id: '1' }, new Date(0).toISOString())
  const find = (id: string) => new Map(built).get(id)
  const outcome = runPipeline(first[1], document, { find, inside: [], nowMs: 0, principal })
  return { outcome, index: document.ctx['_index'], source: document.source() }
}

const one = (type: string, options: object, source: Source, index?: string) =>
  run({ p: [{ [type]: options }] }, source, anna, index)

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    if (isAppError(thrown)) return thrown.message
    throw thrown
  }
  return 'no fault'
}

const set = (field: string) => ({ set: { field, value: true } })

describe('terminate', () => {
  it('ends the pipeline that it stands in, not the one that called it', () => {
    const inner = [set('a'), { terminate: { if: 'ctx.ends == true' } }, set('b')]
    const outer = [{ pipeline: { name: 'inner' } }, set('c')]
    expect(run({ outer, inner }, { ends: true })).toMatchObject({
      outcome: 'keep',
      source: { ends: true, a: true, c: true },
    })
    expect(run({ outer, inner }, {}).source).toEqual({ a: true, b: true, c: true })
  })

  it('ends it from within its failure handlers and loops, which go to their end', () => {
    const failing = { fail: { message: 'no', on_failure: [{ terminate: {} }, set('a')] } }
    expect(run({ p: [failing, set('b')] }, {}).source).toEqual({})
    const loop = { foreach: { field: 'list', processor: { terminate: {} } } }
    expect(run({ p: [loop, set('b')] }, { list: [1, 2] }).source).toEqual({ list: [1, 2] })
  })
})

describe('reroute', () => {
  it('leaves all pipelines that the document is in', () => {
    const outer = [{ pipeline: { name: 'inner' } }, set('c')]
    const inner = [{ reroute: { destination: 'else' } }, set('b')]
    expect(run({ outer, inner }, {})).toEqual({ outcome: 'reroute', index: 'else', source: {} })
  })

  it.each([
    [{}, {}, 'logs-app-default'],
    [{ dataset: 'nginx' }, {}, 'logs-nginx-default'],
    [{ dataset: 'nginx', namespace: 'prod-a', type: 'metrics' }, {}, 'metrics-nginx-prod-a'],
    [{ dataset: ['{{service}}', 'none'] }, { service: 'Web Shop/2-B' }, 'logs-web_shop_2_b-default'],
    [{ dataset: ['{{service}}', '{{{other.name}}}', 'none'] }, { service: 7, other: { name: 'x' } }, 'logs-x-default'],
    [{ dataset: ['{{service}}', 'none'] }, {}, 'logs-none-default'],
    [{ dataset: '{{service}}' }, {}, 'logs-app-default'],
    [{}, { data_stream: { dataset: 'own', namespace: 'n-1' } }, 'logs-own-n-1'],
    [{}, { 'data_stream.dataset': 'own' }, 'logs-own-default'],
    [{ namespace: '{{n}}' }, { n: 'x'.repeat(120) }, `logs-app-${'x'.repeat(100)}`],
  ])('makes the name of %j and %j', (options, source, index) => {
    const made = one('reroute', options, source)
    expect(made.index).toBe(index)
    const [type, dataset] = index.split('-')
    expect(made.source['data_stream']).toEqual({ type, dataset, namespace: index.split('-').slice(2).join('-') })
  })

  it('keeps event.dataset the same where it is set', () => {
    expect(one('reroute', { dataset: 'x' }, { event: { dataset: 'y' } }).source).toMatchObject({
      event: { dataset: 'x' },
    })
    expect(one('reroute', { dataset: 'x' }, {}).source).not.toHaveProperty('event')
  })

  it.each([
    [{ destination: 'a', dataset: 'b' }, '[destination] can only be set if type, dataset, and namespace are not set'],
    [{ dataset: 'My-Set' }, "[dataset] 'My-Set' contains disallowed characters"],
    [{ namespace: 'a {{b}}' }, "[namespace] 'a {{b}}' is not a valid field reference"],
    [{ dataset: '{{a}}-{{b}}' }, "[dataset] '{{a}}-{{b}}' is not a valid field reference"],
  ])('refuses %j', (options, reason) => {
    expect(faultOf(() => one('reroute', options, {}))).toBe(reason)
  })

  it('refuses names out of the scheme', () => {
    expect(faultOf(() => one('reroute', { dataset: 'x' }, {}, 'plain-index'))).toBe(
      'invalid data stream name: [plain-index]; must follow naming scheme <type>-<dataset>-<namespace>',
    )
  })
})

describe('set_security_user', () => {
  const user = (principal: Principal | undefined, options: object = {}, source: Source = {}) =>
    run({ p: [{ set_security_user: { field: 'user', ...options } }] }, source, principal).source['user']

  it('says who sent the document, beside what stands there', () => {
    expect(user(anna, {}, { user: { seen: 1, roles: ['old'] } })).toEqual({
      seen: 1,
      username: 'anna',
      roles: ['writer'],
      email: 'a@b.example',
      realm: { name: 'default_native', type: 'native' },
      authentication_type: 'REALM',
    })
    expect(user(anna, { properties: ['USERNAME', 'realm'] })).toEqual({
      username: 'anna',
      realm: { name: 'default_native', type: 'native' },
    })
  })

  it('says which key it was', () => {
    const apiKey = { id: 'x1', name: 'beat', metadata: { of: 'web' }, ownerRealm: 'reserved' } as const
    expect(user({ username: 'anna', roles: [], realm: 'api_key', apiKey })).toEqual({
      username: 'anna',
      api_key: { id: 'x1', name: 'beat', metadata: { of: 'web' } },
      realm: { name: 'reserved', type: 'reserved' },
      authentication_type: 'API_KEY',
    })
  })

  it('needs somebody, and properties that there are', () => {
    expect(faultOf(() => user(undefined))).toBe(
      'There is no authenticated user - the [set_security_user] processor requires an authenticated user',
    )
    expect(faultOf(() => user(anna, { properties: ['shoes'] }))).toBe('[properties] Property value [shoes] is in valid')
  })
})

describe('circle', () => {
  const options = { field: 'at', error_distance: 28.1, shape_type: 'geo_shape' }
  const made = (at: unknown, more: object = {}) => one('circle', { ...options, ...more }, { at }).source['at']

  it('makes a polygon of a circle in the form it was given in', () => {
    expect(made({ type: 'circle', coordinates: [30, 10], radius: '40m' })).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [expect.closeTo(30.000365, 5), 10],
          [expect.closeTo(30.000111, 5), expect.closeTo(10.000343, 5)],
          [expect.closeTo(29.999706, 5), expect.closeTo(10.000214, 5)],
          [expect.closeTo(29.999706, 5), expect.closeTo(9.999786, 5)],
          [expect.closeTo(30.000111, 5), expect.closeTo(9.999657, 5)],
          [expect.closeTo(30.000365, 5), 10],
        ],
      ],
    })
    expect(made('CIRCLE (30 10 40)')).toMatch(
      /^POLYGON \(\(30\.00036\d+ 10, (?:[\d.]+ [\d.]+, ){4}30\.00036\d+ 10\)\)$/u,
    )
    expect(made('CIRCLE (3000 10 2)', { shape_type: 'SHAPE', error_distance: 2 })).toBe(
      'POLYGON ((3002 10, 3000 12, 2998 10, 3000 8, 3002 10))',
    )
  })

  it.each([
    [{ at: null }, {}, 'field [at] is null, cannot process it.'],
    [{ at: 7 }, {}, 'field [at] must be a WKT Circle or a GeoJSON Circle value'],
    [{ at: 'POINT (1 2)' }, {}, 'invalid circle definition'],
    [{ at: 'CIRCLE (1 2)' }, {}, 'invalid circle definition'],
    [{ at: 'CIRCLE (0 0 30000000)' }, {}, 'invalid circle definition'],
    [{}, { ignore_missing: true }, 'no fault'],
    [{}, { shape_type: 'ball' }, '[shape_type] illegal [shape_type] value [ball]. valid values are [SHAPE, GEO_SHAPE]'],
    [{}, { error_distance: undefined }, '[error_distance] required property is missing'],
  ])('of %j with %j says: %s', (source, more, reason) => {
    expect(faultOf(() => one('circle', { ...options, ...more }, source))).toBe(reason)
  })
})

it('says why a type is missing here that Elasticsearch has', () => {
  expect(faultOf(() => one('attachment', { field: 'a' }, {}))).toBe(
    'No processor type exists with name [attachment]: it reads office documents by Apache Tika, which is no part of this search',
  )
})
