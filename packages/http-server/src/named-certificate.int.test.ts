import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { createLogger } from '@logstack/logging'
import { createAuthority, issueServerCertificate } from '@logstack/pki'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServer, replaceCertificate } from './index.ts'

type App = ReturnType<typeof createServer>

let app: App
let port: number
let own: { cert: string; key: string }
let imported: { cert: string; key: string }

beforeAll(async () => {
  own = await issueServerCertificate(await createAuthority(), {
    commonName: 'logstack-dashboard',
    hosts: ['logs.test'],
  })
  const foreign = await createAuthority({ commonName: 'Foreign' })
  imported = await issueServerCertificate(foreign, { commonName: 'logs.test', hosts: ['*.apps.test'] })
  app = createServer({ tls: own, logger: createLogger('test', 'silent'), bodyBytesMax: 1024 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

/** The certificate that is shown to a client that asks for a name, or for none. */
const shown = (servername?: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      rejectUnauthorized: false,
      ...(servername ? { servername } : {}),
    })
    socket.on('error', reject)
    socket.on('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.toString().trim())
      socket.destroy()
    })
  })

it('shows the imported certificate by name, and its own to everyone else', async () => {
  expect(await shown('logs.test')).toBe(own.cert.trim())
  replaceCertificate(app, { ...own, imported })
  for (const name of ['logs.test', 'LOGS.test', 'a.apps.test'])
    expect(await shown(name), name).toBe(imported.cert.trim())
  for (const name of ['localhost', 'logstack-dashboard', 'other.test', undefined]) {
    expect(await shown(name), String(name)).toBe(own.cert.trim())
  }
  replaceCertificate(app, own)
  expect(await shown('logs.test')).toBe(own.cert.trim())
})

it('goes on with what it has when a new one cannot be used', async () => {
  expect(() => replaceCertificate(app, { ...own, imported: { cert: imported.cert, key: own.key } })).toThrow()
  expect(await shown('logs.test')).toBe(own.cert.trim())
})
