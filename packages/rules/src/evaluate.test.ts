import { describe, expect, it } from 'vitest'
import { cidrBounds, evaluate, formatIp, luceneRegexp, type Predicate, parseInstant, parseIp } from './index.ts'

const document = {
  '@timestamp': '2026-11-21T10:00:00.123Z',
  host: { name: 'web-1', ip: ['10.0.0.1', '::1'] },
  'process.name': 'sshd',
  tags: ['a', 'b'],
  users: [{ name: 'root' }, { name: 'anna' }],
  message: 'Failed password for invalid user root from 10.0.0.5',
  count: 3,
  empty: null,
}
const holds = (predicate: Predicate) => evaluate(predicate, document, { _id: 'x1' })
const string = (path: string) => ({ path, type: 'string' as const })

describe('evaluate', () => {
  it('finds values through objects, dotted names and arrays', () => {
    expect(holds({ op: 'equals', field: string('process.name'), values: ['sshd'] })).toBe(true)
    expect(holds({ op: 'equals', field: string('users.name'), values: ['anna'] })).toBe(true)
    expect(holds({ op: 'present', field: string('empty') })).toBe(false)
    expect(holds({ op: 'not', of: { op: 'equals', field: string('absent'), values: ['x'] } })).toBe(true)
  })

  it('compares addresses as numbers', () => {
    const field = { path: 'host.ip', type: 'ip' as const }
    expect(holds({ op: 'range', field, bounds: { gte: '10.0.0.0', lte: '10.255.255.255' } })).toBe(true)
    expect(holds({ op: 'range', field, bounds: { gte: '9.0.0.0', lt: '10.0.0.0' } })).toBe(false)
    expect(holds({ op: 'equals', field, values: ['::1'] })).toBe(true)
  })

  it('reads phrases with slop as Lucene does', () => {
    const phrase = (text: string, slop: number, prefix = false): Predicate => ({
      op: 'phrase',
      field: { path: 'message', type: 'text' },
      tokens: text.split(' '),
      slop,
      prefix,
    })
    expect(holds(phrase('failed password', 0))).toBe(true)
    expect(holds(phrase('password failed', 0))).toBe(false)
    expect(holds(phrase('password failed', 2))).toBe(true)
    expect(holds(phrase('failed for', 1))).toBe(true)
    expect(holds(phrase('invalid us', 0, true))).toBe(true)
  })

  it('matches patterns against whole values, or against tokens of text', () => {
    const wildcard = { kind: 'wildcard' as const, text: 'w?b*', caseInsensitive: false }
    expect(holds({ op: 'pattern', field: string('host.name'), pattern: wildcard })).toBe(true)
    expect(
      holds({ op: 'pattern', field: { path: 'message', type: 'text' }, pattern: { ...wildcard, text: 'inval*' } }),
    ).toBe(true)
    expect(holds({ op: 'pattern', field: string('message'), pattern: { ...wildcard, text: 'inval*' } })).toBe(false)
  })
})

describe('readers', () => {
  it('reads Lucene regular expressions and refuses what has no equivalent', () => {
    expect(luceneRegexp('a.b@"x.y"<8-11>')).toEqual({ source: 'a.b.*(?:x\\.y)(?:8|9|10|11)' })
    expect(luceneRegexp('a&b')).toEqual({ error: 'operator [&] is not supported' })
    expect(luceneRegexp('a)')).toEqual({ error: 'unexpected [)] at position 1' })
    const read = luceneRegexp('[^a-c^]+|\\/')
    expect('source' in read && new RegExp(`^${read.source}$`, 'u').test('xyz')).toBe(true)
  })

  it('prints addresses canonically', () => {
    expect(formatIp(parseIp('2001:DB8:0:0:1:0:0:1') ?? 0n)).toBe('2001:db8::1:0:0:1')
    expect(formatIp(parseIp('::ffff:10.0.0.1') ?? 0n)).toBe('10.0.0.1')
    expect(parseIp('LOCAL')).toBeUndefined()
    expect(parseIp('1.2.3.256')).toBeUndefined()
    expect(cidrBounds('10.1.0.0/16')).toEqual({ first: '10.1.0.0', last: '10.1.255.255' })
  })

  it('reads ISO dates of any completeness', () => {
    expect(parseInstant('2026-11-21')?.ms).toBe(Date.UTC(2026, 10, 21))
    expect(parseInstant('2026-11-21T10:00:00.123456789+02:00')).toEqual({
      ms: Date.UTC(2026, 10, 21, 8, 0, 0, 123),
      nanos: 456_789,
    })
    expect(parseInstant('2026-02-30')).toBeUndefined()
    expect(parseInstant('11/21/2026')).toBeUndefined()
  })
})
