/** Scripts as dashboards, runtime fields and rules have them, over the fields of agents' and sensors' logs, and which of them SQL says. */
import type { Mapping } from '../../model/mapping.ts'
import type { RandomScript } from './stated-scripts.fixture.ts'

/** The fields they read. */
export const eventMapping: Mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    bytes: { type: 'long' },
    message: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    tags: { type: 'keyword' },
    response: { type: 'keyword' },
    host: { properties: { name: { type: 'keyword' } } },
    log: { properties: { level: { type: 'keyword' }, file: { properties: { path: { type: 'keyword' } } } } },
    url: { properties: { path: { type: 'keyword' }, domain: { type: 'keyword' } } },
    event: {
      properties: {
        duration: { type: 'long' },
        severity: { type: 'long' },
        outcome: { type: 'keyword' },
        start: { type: 'date' },
        end: { type: 'date' },
      },
    },
    source: { properties: { ip: { type: 'ip' }, port: { type: 'integer' }, bytes: { type: 'long' } } },
    destination: { properties: { port: { type: 'integer' }, bytes: { type: 'long' } } },
    system: { properties: { memory: { properties: { total: { type: 'long' }, used: { type: 'long' } } } } },
    load: { type: 'double' },
    user: { properties: { name: { type: 'keyword' } } },
    network: { properties: { secure: { type: 'boolean' } } },
  },
}

/** Documents of them: whole ones, and ones that lack what scripts ask for. */
export const events: readonly unknown[] = [
  {
    '@timestamp': '2026-11-21T10:15:30.250Z',
    bytes: 2048,
    message: 'GET /index.html 200',
    tags: ['web', 'prod'],
    response: '200',
    host: { name: 'Web-01.example.org' },
    log: { level: 'info', file: { path: '/var/log/nginx/access.log' } },
    url: { path: '/shop/cart/42', domain: 'example.org' },
    event: {
      duration: 1_500_000_000,
      severity: 3,
      outcome: 'success',
      start: 1_764_147_845_123,
      end: 1_764_147_849_623,
    },
    source: { ip: '10.0.0.7', port: 51_234, bytes: 300 },
    destination: { port: 443, bytes: 4096 },
    system: { memory: { total: 16_000_000_000, used: 4_000_000_000 } },
    load: 0.75,
    user: { name: 'CORP\\alice' },
    network: { secure: true },
  },
  {
    '@timestamp': '1969-12-31T23:59:59.999Z',
    bytes: -3,
    message: 'Größe überschritten',
    tags: 'db',
    response: '503',
    host: { name: 'db-2' },
    log: { level: 'ERROR', file: { path: 'syslog' } },
    url: { path: '', domain: 'müller.example' },
    event: { duration: 0, severity: 9, outcome: 'failure' },
    source: { ip: '2001:db8::1', port: 22, bytes: 0 },
    destination: { port: 22, bytes: 7 },
    system: { memory: { total: 3, used: 1 } },
    load: [2.5, 0.5],
    user: { name: 'root' },
    network: { secure: false },
  },
  { '@timestamp': '2026-02-28T00:00:00Z' },
  { bytes: [5, 3], tags: ['b', 'a', 'b'], response: 'none', load: 1e9, event: { duration: '9007199254740993' } },
]

const has = (path: string) => `doc['${path}'].size() != 0`

/** A script of a field of a type, and whether it is said in SQL. */
type KnownScript = readonly [type: RandomScript['type'], use: RandomScript['use'], source: string, isStated: boolean]

/** The scripts. */
export const knownScripts: readonly KnownScript[] = [
  ['double', 'values', "doc['bytes'].value / 1024", true],
  ['double', 'values', "doc['bytes'].value / 1024.0 / 1024.0", true],
  ['double', 'values', "return Math.round(doc['bytes'].value / Math.pow(1024, 2) * 100) / 100.0", true],
  ['keyword', 'values', "doc['@timestamp'].value.getHour()", true],
  ['long', 'emitted', "emit(doc['@timestamp'].value.getHour());", true],
  ['long', 'emitted', `if (${has('@timestamp')}) { emit(doc['@timestamp'].value.dayOfWeekEnum.value) }`, true],
  [
    'keyword',
    'emitted',
    "emit(doc['@timestamp'].value.dayOfWeekEnum.getDisplayName(TextStyle.FULL, Locale.ROOT))",
    true,
  ],
  ['keyword', 'values', "doc['host.name'].value.toLowerCase()", true],
  ['keyword', 'values', "doc['host.name'].value + ' ' + doc['log.level'].value", true],
  [
    'keyword',
    'emitted',
    `if (${has('host.name')}) { String h = doc['host.name'].value; int dot = h.indexOf('.'); emit(dot > 0 ? h.substring(0, dot) : h) }`,
    true,
  ],
  [
    'keyword',
    'emitted',
    "def p = doc['log.file.path']; if (p.size() == 0) return; def path = p.value; emit(path.substring(path.lastIndexOf('/') + 1))",
    true,
  ],
  [
    'keyword',
    'values',
    "if (doc['response'].size() == 0) return 'none'; def r = doc['response'].value; if (r.startsWith('5')) return 'server'; if (r.startsWith('4')) return 'client'; return 'fine'",
    true,
  ],
  ['boolean', 'returned', "doc['source.port'].value == doc['destination.port'].value", true],
  ['boolean', 'returned', "doc['bytes'].size() > 0 && doc['bytes'].value > params.k * 100", true],
  ['boolean', 'returned', `${has('user.name')} && !doc['user.name'].value.contains('\\\\')`, true],
  ['boolean', 'returned', "doc['@timestamp'].value.getHour() < 6 || doc['@timestamp'].value.getHour() >= 22", true],
  ['boolean', 'returned', "def d = doc['@timestamp'].value.dayOfWeekEnum.getValue(); return d == 6 || d == 7", true],
  [
    'double',
    'returned',
    "doc['event.end'].value.toInstant().toEpochMilli() - doc['event.start'].value.toInstant().toEpochMilli()",
    true,
  ],
  ['double', 'returned', "doc['event.end'].value.millis - doc['event.start'].value.millis", true],
  [
    'double',
    'emitted',
    "if (doc['system.memory.total'].size() > 0 && doc['system.memory.total'].value > 0) emit(100.0 * doc['system.memory.used'].value / doc['system.memory.total'].value)",
    true,
  ],
  ['double', 'values', "$('source.bytes', 0) + $('destination.bytes', 0)", true],
  [
    'double',
    'values',
    "(doc['source.bytes'].empty ? 0 : doc['source.bytes'].value) + (doc['destination.bytes'].empty ? 0 : doc['destination.bytes'].value)",
    true,
  ],
  ['long', 'emitted', "emit(field('event.duration').get(0L) / 1000000L)", true],
  [
    'keyword',
    'emitted',
    "long s = doc['event.severity'].size() == 0 ? 0 : doc['event.severity'].value; if (s >= 8) { emit('critical'); } else if (s >= 5) { emit('high'); } else { emit('low'); }",
    true,
  ],
  ['keyword', 'emitted', "if (doc['tags'].contains('prod')) { emit('production') } else { emit('other') }", true],
  ['keyword', 'values', "doc['url.path'].size() == 0 ? '-' : doc['url.path'].value.splitOnToken('/')[0]", true],
  ['keyword', 'values', "doc['user.name'].value.replace('\\\\', '/')", true],
  ['keyword', 'values', "doc['message.keyword'].value.length() > 10 ? 'long' : 'short'", true],
  ['keyword', 'values', "doc['tags'].values", true],
  [
    'long',
    'emitted',
    "if (doc.containsKey('http.status') && doc['http.status'].size() > 0) { emit(doc['http.status'].value) } else { emit(Integer.parseInt($('response', '0'))) }",
    true,
  ],
  ['boolean', 'emitted', "emit(doc['network.secure'].value)", true],
  ['date', 'emitted', "emit(doc['@timestamp'].value.plusHours(1).toInstant().toEpochMilli())", true],
  ['double', 'factor', "doc['load'].size() == 0 ? 1 : 1 + doc['load'].value", true],
  ['double', 'values', "Math.log(2 + doc['bytes'].value)", false],
  ['double', 'values', "doc['load'].value % 1", false],
  ['keyword', 'emitted', 'emit(params._source.message)', false],
  ['keyword', 'emitted', "emit(doc['source.ip'].value)", false],
  ['keyword', 'emitted', "for (def tag : doc['tags']) { emit(tag.toUpperCase()) }", false],
  [
    'keyword',
    'emitted',
    "String m = grok('%{WORD:verb} %{GREEDYDATA}').extract(params._source.message)?.verb; if (m != null) emit(m)",
    false,
  ],
  ['long', 'emitted', "emit(ChronoUnit.DAYS.between(doc['event.start'].value, doc['event.end'].value))", false],
  ['long', 'values', "doc['@timestamp'].value.withZoneSameInstant(ZoneId.of('Europe/Vienna')).getHour()", false],
]
