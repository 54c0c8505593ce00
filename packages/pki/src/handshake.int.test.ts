import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Authority, createAuthority, issueClientCertificate, issueServerCertificate } from './index.ts'

let authority: Authority
let server: Server
let port = 0

beforeAll(async () => {
  authority = await createAuthority()
  const leaf = await issueServerCertificate(authority, { commonName: 'logstack-search', hosts: ['192.0.2.9'] })
  server = createServer({ ...leaf, ca: authority.cert, requestCert: true, rejectUnauthorized: false }, (req, res) => {
    const socket = req.socket as TLSSocket
    res.end(socket.authorized ? socket.getPeerCertificate().subject.CN : 'nobody')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => server?.close())

function talk(options: { servername?: string; ca: string; cert?: string; key?: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ...options }, () => {
      socket.write('GET / HTTP/1.0\r\n\r\n')
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text.split('\r\n\r\n')[1] ?? ''))
    socket.on('error', reject)
  })
}

describe('TLS handshake', () => {
  it('holds for a client that trusts the authority, by address and by name', async () => {
    expect(await talk({ ca: authority.cert })).toBe('nobody')
    expect(await talk({ ca: authority.cert, servername: 'logstack-search' })).toBe('nobody')
  })

  it('fails for a name the certificate does not hold, and under another authority', async () => {
    await expect(talk({ ca: authority.cert, servername: 'evil.example.org' })).rejects.toThrow('does not match')
    const other = await createAuthority()
    await expect(talk({ ca: other.cert })).rejects.toThrow()
  })

  it('names a client by its certificate', async () => {
    const client = await issueClientCertificate(authority, { commonName: 'agent-7' })
    expect(await talk({ ca: authority.cert, ...client })).toBe('agent-7')
  })

  it('does not believe a client certificate of another authority', async () => {
    const client = await issueClientCertificate(await createAuthority(), { commonName: 'agent-7' })
    expect(await talk({ ca: authority.cert, ...client })).toBe('nobody')
  })
})
