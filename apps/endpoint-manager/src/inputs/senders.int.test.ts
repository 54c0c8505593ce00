import { createSocket } from 'node:dgram'
import { request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { deflateSync, gzipSync } from 'node:zlib'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestedPart, type TestedPart } from '../start-part.testing.ts'

let part: TestedPart

beforeAll(async () => {
  part = await startTestedPart()
})

afterAll(() => part?.stop())

const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()))
const messages = (stream: string): unknown[] => part.documents(stream).map(({ message }) => message)

function sendUdp(port: number, bytes: Buffer | string): Promise<void> {
  const socket = createSocket('udp4')
  return new Promise((resolve) => socket.send(bytes, port, '127.0.0.1', () => socket.close(() => resolve())))
}

async function post(
  path: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
  user: string | undefined = 'sender:secret',
): Promise<{ status: number; body: string }> {
  const { ca } = await testCertificates()
  const authorization = user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${part.ports.https}${path}`
    const outgoing = request(url, { method: 'POST', ca, headers: { ...authorization, ...headers } }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

describe('syslog over TLS', () => {
  it('takes counted frames, and refuses who speaks no TLS', async () => {
    const { ca } = await testCertificates()
    const frame = '<34>1 2026-11-21T10:00:00Z router app - - - over tls'
    const plain = connect(part.ports.syslogTls, '127.0.0.1', () => plain.write(`${frame.length} ${frame}`))
    await ended(plain)
    const socket = connectTls({ port: part.ports.syslogTls, host: '127.0.0.1', ca }, () =>
      socket.end(`${frame.length} ${frame}`),
    )
    await part.until(() => messages('logs-syslog-default').includes('over tls'))
    expect(messages('logs-syslog-default').filter((message) => message === 'over tls')).toHaveLength(1)
  })
})

describe('detections', () => {
  it('write an alert as soon as the events are stored', async () => {
    const socket = connect(part.ports.syslog, '127.0.0.1')
    const now = new Date().toISOString()
    for (let port = 1; port <= 12; port += 1) {
      socket.write(`<38>1 ${now} gate sshd 1 - - Failed password for root from 203.0.113.77 port ${port} ssh2\n`)
    }
    socket.end()
    await part.until(() => part.documents('.logstack-alerts').length > 0)
    expect(part.documents('.logstack-alerts')).toEqual([
      expect.objectContaining({
        rule: expect.objectContaining({ name: 'Many failed logins from one address', category: 'detection' }),
        source: { ip: '203.0.113.77' },
        logstack: {
          alert: expect.objectContaining({ status: 'open', severity: 'medium', count: 10, key: '203.0.113.77' }),
        },
      }),
    ])
  })
})

describe('GELF', () => {
  const message = (short: string): string =>
    JSON.stringify({
      version: '1.1',
      host: 'app1',
      short_message: short,
      timestamp: 1_795_317_932.5,
      level: 4,
      _user: 'ann',
      _n: 7,
    })

  it.each([
    ['plain', (text: string) => Buffer.from(text)],
    ['gzip', (text: string) => gzipSync(text)],
    ['zlib', (text: string) => deflateSync(text)],
  ])('over UDP, %s', async (name, pack) => {
    await sendUdp(part.ports.gelf, pack(message(`udp ${name}`)))
    await part.until(() => messages('logs-gelf-default').includes(`udp ${name}`))
    expect(part.documents('logs-gelf-default').find((document) => document['message'] === `udp ${name}`)).toMatchObject(
      {
        '@timestamp': '2026-11-22T03:25:32.500Z',
        host: { name: 'app1' },
        log: { level: 'warning' },
        gelf: { user: 'ann', n: 7 },
      },
    )
  })

  it('over UDP in chunks, out of order; broken ones and bombs are refused', async () => {
    const text = Buffer.from(message(`chunked ${'x'.repeat(3_000)}`))
    const chunk = (sequence: number, count: number, bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, sequence, count]), bytes])
    await sendUdp(part.ports.gelf, chunk(9, 3, Buffer.from('x')))
    await sendUdp(part.ports.gelf, gzipSync(Buffer.alloc(64 * 1024 * 1024)))
    await sendUdp(part.ports.gelf, '{"no":"gelf"}')
    await sendUdp(part.ports.gelf, '\u0000\u0001')
    await sendUdp(part.ports.gelf, chunk(2, 3, text.subarray(2_000)))
    await sendUdp(part.ports.gelf, chunk(0, 3, text.subarray(0, 1_000)))
    await sendUdp(part.ports.gelf, chunk(1, 3, text.subarray(1_000, 2_000)))
    await part.until(() => messages('logs-gelf-default').some((one) => String(one).startsWith('chunked x')))
  })

  it('over TCP up to each zero byte; what is none ends that connection only', async () => {
    const bad = connect(part.ports.gelf, '127.0.0.1')
    bad.write('no json\0')
    await ended(bad)
    const good = connect(part.ports.gelf, '127.0.0.1')
    good.write(`${message('tcp one')}\0${message('tcp two')}\0`)
    await part.until(() => messages('logs-gelf-default').includes('tcp two'))
    expect(messages('logs-gelf-default')).toContain('tcp one')
    good.destroy()
  })

  it('a message without an end is cut off', async () => {
    const socket = connect(part.ports.gelf, '127.0.0.1')
    const piece = Buffer.alloc(256 * 1024, 0x61)
    const write = (): void => {
      if (socket.writable) socket.write(piece, () => setImmediate(write))
    }
    socket.on('connect', write)
    await ended(socket)
    expect((await post('/api/events/after.gelf', '{"message":"still here"}')).status).toBe(200)
  })
})

describe('Fluent forward', () => {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([0xd9, value.length]), Buffer.from(value)])
  const time = Buffer.from([0xce, 0x6b, 0x02, 0x60, 0xac])
  const record = (message: string): Buffer =>
    Buffer.concat([Buffer.from([0x82]), text('log'), text(message), text('n'), Buffer.from([7])])
  const entry = (message: string): Buffer => Buffer.concat([Buffer.from([0x92]), time, record(message)])

  it('takes single, several and packed, zipped entries, and acknowledges chunks', async () => {
    const socket = connect(part.ports.fluent, '127.0.0.1')
    const answers: Buffer[] = []
    socket.on('data', (bytes) => answers.push(bytes))
    socket.write(Buffer.concat([Buffer.from([0x93]), text('app.one'), time, record('single')]))
    const several = Buffer.concat([
      Buffer.from([0x92]),
      text('app.two'),
      Buffer.from([0x92]),
      entry('first'),
      entry('second'),
    ])
    for (const byte of several) socket.write(Buffer.from([byte]))
    const packed = gzipSync(Buffer.concat([entry('packed'), entry('zipped')]))
    const options = Buffer.concat([Buffer.from([0x82]), text('compressed'), text('gzip'), text('chunk'), text('abc')])
    socket.write(
      Buffer.concat([Buffer.from([0x93]), text('app.three'), Buffer.from([0xc4, packed.length]), packed, options]),
    )
    await part.until(() => messages('logs-fluent-default').length === 5 && answers.length > 0)
    expect(messages('logs-fluent-default')).toEqual(['single', 'first', 'second', 'packed', 'zipped'])
    expect(part.documents('logs-fluent-default')[0]).toMatchObject({
      '@timestamp': '2026-11-22T03:25:32.000Z',
      fluent: { tag: 'app.one', record: { n: 7 } },
    })
    expect(Buffer.concat(answers).toString('latin1')).toContain('abc')
    socket.destroy()
  })

  it.each([
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a list that claims to be endless', Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff, ...new Array(64).fill(0xc1)])],
    [
      'a text of four gigabytes',
      Buffer.concat([Buffer.from([0x93, 0xdb, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(1_024)]),
    ],
    ['nesting without end', Buffer.alloc(1_000, 0x91)],
  ])('cuts off %s', async (_, bytes) => {
    const socket = connect(part.ports.fluent, '127.0.0.1')
    socket.write(bytes)
    await ended(socket)
  })
})

const attribute = (key: string, value: object) => ({ key, value })
const otlpBody = {
  resourceLogs: [
    {
      resource: {
        attributes: [attribute('service.name', { stringValue: 'shop' }), attribute('k8s.pod', { stringValue: 'p1' })],
      },
      scopeLogs: [
        {
          scope: { name: 'io.shop' },
          logRecords: [
            {
              timeUnixNano: '1795317932123456789',
              severityNumber: 17,
              body: { stringValue: 'from json' },
              attributes: [
                attribute('http.status_code', { intValue: '500' }),
                attribute('cart.items', { intValue: 3 }),
              ],
              traceId: '5b8aa5a2d2c872e8321cf37308d69df2',
            },
          ],
        },
      ],
    },
  ],
}
const otlpExpected = {
  '@timestamp': '2026-11-22T03:25:32.123Z',
  service: { name: 'shop' },
  log: { level: 'error', logger: 'io.shop' },
  http: { response: { status_code: 500 } },
  trace: { id: '5b8aa5a2d2c872e8321cf37308d69df2' },
  otel: { resource: { k8s_pod: 'p1' }, attributes: { cart_items: 3 } },
}
const wireField = (number: number, bytes: Buffer): Buffer => {
  const head = [number * 8 + 2]
  for (let rest = bytes.length; ; rest >>= 7) {
    head.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return Buffer.concat([Buffer.from(head), bytes])
  }
}
const textField = (number: number, value: string): Buffer => wireField(number, Buffer.from(value))
const pair = (key: string, value: Buffer): Buffer => Buffer.concat([textField(1, key), wireField(2, value)])
const otlpProtobuf = (): Buffer => {
  const time = Buffer.alloc(9)
  time[0] = 9
  time.writeBigUInt64LE(1_795_317_932_123_456_789n, 1)
  const record = Buffer.concat([
    time,
    Buffer.from([16, 17]),
    wireField(5, textField(1, 'from protobuf')),
    wireField(6, pair('http.status_code', Buffer.from([24, 0xf4, 0x03]))),
    wireField(6, pair('cart.items', Buffer.from([24, 3]))),
    wireField(9, Buffer.from('5b8aa5a2d2c872e8321cf37308d69df2', 'hex')),
  ])
  const resource = Buffer.concat([
    wireField(1, pair('service.name', textField(1, 'shop'))),
    wireField(1, pair('k8s.pod', textField(1, 'p1'))),
  ])
  const scope = Buffer.concat([wireField(1, textField(1, 'io.shop')), wireField(2, record)])
  return wireField(1, Buffer.concat([wireField(1, resource), wireField(2, scope)]))
}

describe('OTLP', () => {
  it('takes JSON and zipped protobuf as the same events', async () => {
    const json = await post('/v1/logs', JSON.stringify(otlpBody), { 'content-type': 'application/json' })
    expect(json).toEqual({ status: 200, body: '{}' })
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' }
    expect(await post('/v1/logs', gzipSync(otlpProtobuf()), headers)).toEqual({ status: 200, body: '' })
    expect(part.documents('logs-otlp-default')).toEqual([
      expect.objectContaining({ message: 'from json' }),
      expect.objectContaining({ message: 'from protobuf' }),
    ])
    for (const document of part.documents('logs-otlp-default')) expect(document).toMatchObject(otlpExpected)
  })

  it.each([
    ['nobody', undefined, 401],
    ['a wrong password', 'sender:wrong', 401],
    ['who may not write', 'reader:secret', 403],
  ])('refuses %s', async (_, user, status) => {
    expect(await post('/v1/logs', '{}', { 'content-type': 'application/json' }, user ?? '')).toMatchObject({ status })
  })

  it.each([
    ['another type', 'text/plain', Buffer.from('x'), 400],
    ['no JSON', 'application/json', Buffer.from('{'), 400],
    ['JSON of another form', 'application/json', Buffer.from('{"resourceLogs":7}'), 400],
    ['no protobuf', 'application/x-protobuf', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x0f, 1]), 400],
  ])('refuses %s', async (_, type, bytes, status) => {
    expect(await post('/v1/logs', bytes, { 'content-type': type })).toMatchObject({ status })
  })

  it('refuses a bomb', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect(await post('/v1/logs', gzipSync(Buffer.alloc(80 * 1024 * 1024)), headers)).toMatchObject({ status: 413 })
  })

  it('is not answered as stored while search takes nothing', async () => {
    part.search.refuse = () => ({ status: 429, reason: 'busy' })
    const answer = await post('/v1/logs', JSON.stringify(otlpBody), { 'content-type': 'application/json' })
    part.search.refuse = undefined
    expect(answer.status).toBe(503)
  })
})

describe('JSON', () => {
  it.each([
    ['one object over several lines', '{\n "message": "a"\n}', 1],
    ['a list', '[{"message":"a"},{"n":1}]', 2],
    ['one a line', '{"message":"a"}\n{"message":"b"}\n', 2],
  ])('takes %s', async (name, body, count) => {
    const dataset = `json.${name.split(' ')[1]}`
    expect(await post(`/api/events/${dataset}`, body)).toEqual({ status: 200, body: JSON.stringify({ stored: count }) })
    expect(part.documents(`logs-${dataset}-default`)).toHaveLength(count)
  })

  it.each([
    ['nothing', '/api/events/x', '', 400],
    ['a number', '/api/events/x', '7', 400],
    ['a broken line', '/api/events/x', '{"a":1}\n{"b"}', 400],
    ['a dataset of another form', '/api/events/A-B', '{}', 400],
  ])('refuses %s', async (_, path, body, status) => {
    expect(await post(path, body)).toMatchObject({ status })
  })
})
