import { isAppError } from '@logstack/errors'
import { describe, expect, test } from 'vitest'
import { buildPipeline } from '../build-pipeline.ts'
import type { GeoDatabase, GeoDatabases } from '../geo/databases.ts'
import { IngestDocument } from '../ingest-document.ts'
import { runPipeline } from '../run-steps.ts'
import { noSources } from '../testing/no-sources.ts'

type Source = Record<string, unknown>

const munich = {
  city: { names: { en: 'Munich' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: 'DE', is_in_european_union: true, names: { en: 'Germany' } },
  location: { accuracy_radius: 10, latitude: 48.14, longitude: 11.58, time_zone: 'Europe/Berlin' },
  postal: { code: '80331' },
  registered_country: { iso_code: 'CH', names: { en: 'Switzerland' } },
  subdivisions: [{ iso_code: 'BY', names: { en: 'Bavaria' } }],
}
const own = { autonomous_system_number: 64_500, autonomous_system_organization: 'Example' }

function database(type: string, kind: GeoDatabase['kind'], record: unknown): GeoDatabase {
  return { type, kind, lookup: (ip) => (ip.startsWith('192.0.2.') ? { record, prefixBits: 24 } : undefined) }
}

const files: Readonly<Record<string, GeoDatabase>> = {
  'GeoLite2-City.mmdb': database('GeoLite2-City', 'city', munich),
  'GeoLite2-Country.mmdb': database('GeoLite2-Country', 'country', munich),
  'asn.mmdb': database('GeoLite2-ASN', 'asn', own),
  'domains.mmdb': database('GeoIP2-Domain', undefined, {}),
}

/** What one processor makes of a source. */
function run(type: string, options: Source, source: Source, given = files): Source {
  const databases: GeoDatabases = { find: (file) => given[file], names: () => Object.keys(given) }
  const pipeline = buildPipeline('p', { processors: [{ [type]: options }] }, { ...noSources, databases })
  const document = new IngestDocument(structuredClone(source), {}, '2026-11-21T12:00:00.000Z')
  runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs: 0 })
  return document.source()
}

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    if (isAppError(thrown)) return `${thrown.code}: ${thrown.message}`
    throw thrown
  }
  return 'no fault'
}

const byDefault = {
  city_name: 'Munich',
  continent_name: 'Europe',
  country_iso_code: 'DE',
  country_name: 'Germany',
  location: { lat: 48.14, lon: 11.58 },
  region_iso_code: 'DE-BY',
  region_name: 'Bavaria',
}

describe('geoip', () => {
  test.each<[Source, Source, Source]>([
    [{ field: 'ip' }, { ip: '192.0.2.1' }, { geoip: byDefault }],
    [{ field: 'ip', target_field: 'source.geo' }, { ip: '::ffff:192.0.2.1' }, { source: { geo: byDefault } }],
    [{ field: 'ip' }, { ip: '198.51.100.1' }, {}],
    [{ field: 'ip', ignore_missing: true }, {}, {}],
    [{ field: 'ip' }, { ip: ['::1', '192.0.2.1'] }, { geoip: byDefault }],
    [
      { field: 'ip', first_only: false, properties: ['ip'] },
      { ip: ['::1', '192.0.2.1'] },
      { geoip: [null, { ip: '192.0.2.1' }] },
    ],
    [{ field: 'ip', first_only: false }, { ip: ['::1'] }, {}],
    [
      { field: 'ip', database_file: 'GeoLite2-Country.mmdb' },
      { ip: '192.0.2.1' },
      { geoip: { continent_name: 'Europe', country_iso_code: 'DE', country_name: 'Germany' } },
    ],
    [
      { field: 'ip', database_file: 'asn.mmdb' },
      { ip: '192.0.2.1' },
      { geoip: { asn: 64_500, ip: '192.0.2.1', network: '192.0.2.0/24', organization_name: 'Example' } },
    ],
    [
      {
        field: 'ip',
        properties: ['TIMEZONE', 'postal_code', 'accuracy_radius', 'continent_code', 'registered_country_iso_code'],
      },
      { ip: '192.0.2.1' },
      {
        geoip: {
          accuracy_radius: 10,
          continent_code: 'EU',
          postal_code: '80331',
          registered_country_iso_code: 'CH',
          timezone: 'Europe/Berlin',
        },
      },
    ],
    [
      { field: 'ip', properties: ['country_in_european_union', 'registered_country_in_european_union'] },
      { ip: '192.0.2.1' },
      { geoip: { country_in_european_union: true, registered_country_in_european_union: false } },
    ],
  ])('%j of %j', (options, source, added) => {
    expect(run('geoip', options, source)).toEqual({ ...source, ...added })
  })
})

describe('geoip, when things are not as they should be', () => {
  test.each([
    ['geoip', '_geoip_database_unavailable_none.mmdb'],
    ['ip_location', '_ip_location_database_unavailable_none.mmdb'],
  ])('%s of a database that is missing is a tag', (type, tag) => {
    const options = { field: 'ip', database_file: 'none.mmdb', download_database_on_pipeline_creation: false }
    expect(run(type, options, { ip: '192.0.2.1', tags: ['a'] })).toEqual({ ip: '192.0.2.1', tags: ['a', tag] })
  })

  test('a database may come, go and become another after the pipeline was made', () => {
    const given: Record<string, GeoDatabase> = {}
    const sources = { ...noSources, databases: { ...noSources.databases, find: (file: string) => given[file] } }
    const pipeline = buildPipeline('p', { processors: [{ ip_location: { field: 'ip' } }] }, sources)
    const told = () => {
      const document = new IngestDocument({ ip: '192.0.2.1' }, {}, '')
      const outcome = faultOf(() => runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs: 0 }))
      return outcome === 'no fault' ? document.source() : outcome
    }
    expect(told()).toHaveProperty('tags')
    given['GeoLite2-City.mmdb'] = database('GeoLite2-City', 'city', munich)
    expect(told()).toEqual({ ip: '192.0.2.1', geoip: byDefault })
    given['GeoLite2-City.mmdb'] = database('Other', undefined, munich)
    expect(told()).toBe('illegal_argument_exception: Unsupported database type [Other] for file [GeoLite2-City.mmdb]')
  })

  test.each<[Source, Source, string]>([
    [{ field: 'ip' }, {}, 'illegal_argument_exception: field [ip] not present as part of path [ip]'],
    [
      { field: 'ip' },
      { ip: null },
      'illegal_argument_exception: field [ip] is null, cannot extract geoip information.',
    ],
    [{ field: 'ip' }, { ip: 'host' }, "illegal_argument_exception: 'host' is not an IP string literal."],
    [
      { field: 'ip' },
      { ip: 5 },
      'illegal_argument_exception: field [ip] should contain only string or array of strings',
    ],
    [{ field: 'ip' }, { ip: [5] }, 'illegal_argument_exception: array in field [ip] should only contain strings'],
    [{}, {}, 'parse_exception: [field] required property is missing'],
    [
      { field: 'ip', database_file: '../GeoLite2-City.mmdb' },
      {},
      'parse_exception: [database_file] [../GeoLite2-City.mmdb] is not the name of a file in the folder of databases',
    ],
    [
      { field: 'ip', database_file: 'domains.mmdb' },
      {},
      'parse_exception: [database_file] Unsupported database type [GeoIP2-Domain] for file [domains.mmdb]',
    ],
    [
      { field: 'ip', database_file: 'asn.mmdb', properties: ['city_name'] },
      {},
      'parse_exception: [properties] illegal property value [city_name]. valid values are [IP, ASN, ORGANIZATION_NAME, NETWORK]',
    ],
    [
      { field: 'ip', more: 1 },
      {},
      "parse_exception: processor [geoip] doesn't support one or more provided configuration parameters [more]",
    ],
  ])('%j of %j is refused', (options, source, fault) => {
    expect(faultOf(() => run('geoip', options, source))).toBe(fault)
  })
})

describe('registered_domain', () => {
  test.each<[string, Source]>([
    ['www.google.co.uk', { registered_domain: 'google.co.uk', subdomain: 'www', top_level_domain: 'co.uk' }],
    ['Example.ORG.', { domain: 'Example.ORG', registered_domain: 'example.org', top_level_domain: 'org' }],
    [
      'a.b.example.github.io',
      { registered_domain: 'example.github.io', subdomain: 'a.b', top_level_domain: 'github.io' },
    ],
    ['co.uk', { top_level_domain: 'co.uk' }],
  ])('%s', (name, parts) => {
    expect(run('registered_domain', { field: 'n' }, { n: name })).toEqual({ n: name, domain: name, ...parts })
  })

  test('goes where it is told, and leaves what is missing', () => {
    const options = { field: 'dns.question.name', target_field: 'dns.question' }
    const source = { dns: { question: { name: 'mail.example.com' } } }
    expect(run('registered_domain', options, source)).toEqual({
      dns: {
        question: {
          name: 'mail.example.com',
          domain: 'mail.example.com',
          registered_domain: 'example.com',
          subdomain: 'mail',
          top_level_domain: 'com',
        },
      },
    })
    expect(run('registered_domain', options, {})).toEqual({})
  })

  test.each([['192.0.2.1'], ['::1'], ['a b.example.com'], ['a..com'], ['https://example.com']])(
    '%s is none',
    (name) => {
      expect(faultOf(() => run('registered_domain', { field: 'n' }, { n: name }))).toBe(
        'illegal_argument_exception: unable to set domain information for document',
      )
    },
  )

  test.each<[Source, Source, string]>([
    [
      { field: 'n', ignore_missing: false },
      {},
      'illegal_argument_exception: field [n] not present as part of path [n]',
    ],
    [
      { field: 'n', ignore_missing: false },
      { n: '' },
      'illegal_argument_exception: unable to set domain information for document',
    ],
    [
      { field: 'n', list: 'x' },
      {},
      "parse_exception: processor [registered_domain] doesn't support one or more provided configuration parameters [list]",
    ],
  ])('%j of %j is refused', (options, source, fault) => {
    expect(faultOf(() => run('registered_domain', options, source))).toBe(fault)
  })
})

describe('user_agent', () => {
  const original =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/51.0.2704.103 Safari/537.36'

  test('tells program, system and device', () => {
    expect(run('user_agent', { field: 'agent' }, { agent: original })).toEqual({
      agent: original,
      user_agent: {
        name: 'Chrome',
        original,
        version: '51.0.2704.103',
        os: { name: 'Mac OS X', version: '10.10.5', full: 'Mac OS X 10.10.5' },
        device: { name: 'Mac' },
      },
    })
  })

  test.each<[Source, Source, Source]>([
    [
      { field: 'a', target_field: 'ua', properties: ['NAME', 'device'], extract_device_type: true },
      { a: original },
      { a: original, ua: { name: 'Chrome', device: { name: 'Mac', type: 'Desktop' } } },
    ],
    [
      { field: 'user_agent.original' },
      { user_agent: { original: 'nothing' } },
      { user_agent: { name: 'Other', original: 'nothing', device: { name: 'Other' } } },
    ],
    [{ field: 'a', ignore_missing: true }, { a: null }, { a: null }],
  ])('%j of %j', (options, source, expected) => {
    expect(run('user_agent', options, source)).toEqual(expected)
  })

  test.each<[Source, Source, string]>([
    [{ field: 'a' }, { a: null }, 'illegal_argument_exception: field [a] is null, cannot parse user-agent.'],
    [
      { field: 'a' },
      { a: 1 },
      'illegal_argument_exception: field [a] of type [java.lang.Integer] cannot be cast to [java.lang.String]',
    ],
    [
      { field: 'a', properties: ['build'] },
      {},
      'parse_exception: [properties] illegal property value [build]. valid values are [NAME, VERSION, OS, DEVICE, ORIGINAL]',
    ],
    [
      { field: 'a', regex_file: 'own.yml' },
      {},
      "parse_exception: [regex_file] regex file [own.yml] doesn't exist (has to exist at node startup)",
    ],
    [
      { field: 'a', ecs: true },
      {},
      "parse_exception: processor [user_agent] doesn't support one or more provided configuration parameters [ecs]",
    ],
  ])('%j of %j is refused', (options, source, fault) => {
    expect(faultOf(() => run('user_agent', options, source))).toBe(fault)
  })
})
