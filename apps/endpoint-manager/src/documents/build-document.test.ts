import { parseSyslog } from '@logstack/syslog'
import { describe, expect, it } from 'vitest'
import { parseDecoder } from '../decoders/decoder-file.ts'
import { Decoders } from '../decoders/decoders.ts'
import { buildDocument, type RawEvent } from './build-document.ts'

const decoders = new Decoders([
  parseDecoder({
    name: 'door',
    title: 'doors',
    programs: ['door'],
    module: 'house',
    dataset: 'house.door',
    events: [
      {
        name: 'opened',
        steps: [{ match: '^opened by (?<who>\\w+) from (?<ip>\\S+)$' }],
        set: { 'event.action': 'door_opened', 'user.name': '{who}', 'source.ip': '{ip}', 'event.outcome': 'success' },
      },
    ],
  }),
])
const collected = Date.parse('2026-11-21T10:00:05Z')
const now = collected + 1000
const line = (message: string, more: Partial<RawEvent> = {}): RawEvent => ({
  type: 'logs',
  dataset: 'file.log',
  fields: { message, host: { name: 'web1' } },
  collected,
  ...more,
})

describe('log lines', () => {
  it('take time, program and fields from the syslog header and the decoder, and keep the line', () => {
    const text = 'Nov 21 11:00:00 other door[7]: opened by ann from 203.0.113.9'
    expect(buildDocument(line(text, { timezone: '+01:00' }), decoders, now)).toEqual({
      index: 'logs-house.door-default',
      decoded: { decoder: 'door', event: 'opened', module: 'house', dataset: 'house.door' },
      document: {
        '@timestamp': '2026-11-21T10:00:00.000Z',
        message: 'opened by ann from 203.0.113.9',
        host: { name: 'web1' },
        log: { syslog: { hostname: 'other', appname: 'door', procid: '7' } },
        process: { name: 'door', pid: 7 },
        user: { name: 'ann' },
        source: { ip: '203.0.113.9' },
        related: { ip: ['203.0.113.9'], user: ['ann'] },
        ecs: { version: expect.any(String) },
        data_stream: { type: 'logs', dataset: 'house.door', namespace: 'default' },
        event: {
          original: text,
          action: 'door_opened',
          outcome: 'success',
          module: 'house',
          dataset: 'house.door',
          kind: 'event',
          ingested: '2026-11-21T10:00:06.000Z',
        },
      },
    })
  })

  it('are kept whole with the time of collection when they have no header', () => {
    const { index, document } = buildDocument(line('just text: 12'), decoders, now)
    expect(index).toBe('logs-file.log-default')
    expect(document).toMatchObject({ '@timestamp': '2026-11-21T10:00:05.000Z', message: 'just text: 12' })
    expect(document).not.toHaveProperty('log')
  })

  it('take the time they begin with although they are no syslog', () => {
    const text = '2026-05-20 12:00:01 install openssl:amd64 <none> 3.0'
    const { document } = buildDocument(line(text, { timezone: '+02:00' }), decoders, now)
    expect(document).toMatchObject({ '@timestamp': '2026-05-20T10:00:01.000Z', message: text })
    expect(document).not.toHaveProperty('log')
  })

  it('put a name where an address was expected into the address field', () => {
    const { document } = buildDocument(line('Nov 21 10:00:00 h door: opened by ann from gate'), decoders, now)
    expect(document['source']).toEqual({ address: 'gate' })
  })
})

describe('other sources', () => {
  it('the journal brings its header as fields', () => {
    const fields = {
      '@timestamp': '2026-11-21T09:00:00.000Z',
      message: 'opened by bob from 2001:db8::1',
      log: { syslog: { appname: 'door', severity: { code: 4 } } },
    }
    const { document } = buildDocument(line('', { fields }), decoders, now)
    expect(document).toMatchObject({
      '@timestamp': '2026-11-21T09:00:00.000Z',
      user: { name: 'bob' },
      log: { level: 'warning' },
      event: { dataset: 'house.door' },
    })
  })

  it('a syslog message of no known form is marked and kept', () => {
    const syslog = parseSyslog('%%%')
    const { document } = buildDocument(line('%%%', { syslog, dataset: 'syslog' }), decoders, now)
    expect(document).toMatchObject({ message: '%%%', tags: ['unparsed'] })
  })

  it('metrics pass as they are', () => {
    const raw: RawEvent = {
      type: 'metrics',
      dataset: 'system.load',
      fields: { system: { load: { 1: 0.5 } } },
      collected,
    }
    expect(buildDocument(raw, decoders, now)).toMatchObject({
      index: 'metrics-system.load-default',
      document: { system: { load: { 1: 0.5 } }, event: { kind: 'metric', module: 'system' } },
    })
  })

  it('cannot reach a prototype', () => {
    const fields = JSON.parse('{"message":"x","__proto__":{"polluted":true},"constructor":{"a":1}}')
    const { document } = buildDocument(line('', { fields }), decoders, now)
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})
