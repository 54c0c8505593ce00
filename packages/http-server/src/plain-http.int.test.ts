import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { createLogger } from '@logstack/logging'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServer } from './index.ts'

const apps: ReturnType<typeof createServer>[] = []
const ports = { people: 0, programs: 0 }

beforeAll(async () => {
  const { cert, key } = await testCertificates()
  for (const [name, more] of [
    ['people', { redirectsPlainHttp: true }],
    ['programs', {}],
  ] as const) {
    const app = createServer({
      tls: { cert, key },
      logger: createLogger('test', 'silent'),
      bodyBytesMax: 1_000_000,
      ...more,
    })
    app.post('/length', async (asked) => ({ length: (asked.body as Buffer).length }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    apps.push(app)
    ports[name] = (app.server.address() as AddressInfo).port
  }
})
afterAll(async () => {
  for (const app of apps) await app.close()
})

interface Answer {
  readonly status: number | undefined
  readonly location: string | undefined
  readonly text: string
}

const plain = (port: number, options: { method?: string; body?: string } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = plainRequest({ port, path: '/app/home?a=1', agent: false, method: options.method ?? 'GET' })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { statusCode: status, headers } = incoming
        resolve({ status, location: headers.location, text: Buffer.concat(chunks).toString() })
      })
    })
    outgoing.end(options.body)
  })

it('leads people to HTTPS, and tells programs that this is spoken here', async () => {
  const { people, programs } = ports
  const led = await plain(people)
  expect([led.status, led.location]).toEqual([302, `https://localhost:${people}/app/home?a=1`])
  const told = `This port speaks HTTPS, and this was HTTP: use https://localhost:${programs}\n`
  expect(await plain(programs)).toEqual({ status: 400, location: undefined, text: told })
  const body = 'x'.repeat(300_000)
  expect(await plain(people, { method: 'POST', body })).toMatchObject({ status: 400, location: undefined })
  expect(await plain(people, { method: 'HEAD' })).toMatchObject({ status: 302, text: '' })
})

it.each([
  [
    'a host that is a header of its own',
    'GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\n',
    /^HTTP\/1\.1 302 .*\r\nLocation: https:\/\/a\/\r\n/,
  ],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b<c>\r\n\r\n', /^HTTP\/1\.1 400 [^<]*was HTTP\n$/],
  ['no request', 'SSH-2.0-OpenSSH_9.2\r\n', /^$/],
  ['one byte', 'G', /^$/],
])('answers nothing but requests: %s', async (_name, sent, answer) => {
  const heard = await new Promise<string>((resolve) => {
    const socket = connect({ port: ports.people, host: '127.0.0.1' }, () => socket.end(sent))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replace(/[^\n -~\r]/g, ''),
      ),
    )
  })
  expect(heard).toMatch(answer)
})

it('serves HTTPS as before, whatever the parts in which a handshake and a body come', async () => {
  const { ca } = await testCertificates()
  const body = Buffer.alloc(500_000, 'y')
  const answers = Array.from(
    { length: 20 },
    () =>
      new Promise<string>((resolve, reject) => {
        const options = { port: ports.people, path: '/length', method: 'POST', ca, agent: false }
        const outgoing = request(options, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('end', () => resolve(Buffer.concat(chunks).toString()))
        })
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
  )
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['{"length":500000}']))
})

it('ends the connection of a client that was answered and goes on sending', async () => {
  const client = connect({ port: ports.programs, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
  client.resume().write('GET / HTTP/1.1\r\n\r\n')
  const dripping = setInterval(() => client.write('.'), 100)
  await new Promise((resolve) => client.once('close', resolve))
  clearInterval(dripping)
})
