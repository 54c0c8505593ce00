import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { expect, it } from 'vitest'
import { HttpTraffic } from './http-traffic.ts'

/** A server that listens somewhere, as far as traffic is followed. */
function listening(address: string) {
  const clock = { nowMs: 1_000 }
  const traffic = new HttpTraffic(1024, () => clock.nowMs)
  const server = Object.assign(new EventEmitter(), { address: () => ({ address, port: 9555 }) })
  traffic.watch(server as unknown as Server)
  server.emit('listening')
  return { traffic, server, clock }
}

it.each([
  ['127.0.0.1', '127.0.0.1:9555', /^127\.0\.0\.1:9555$/],
  ['::1', '[::1]:9555', /^\[::1\]:9555$/],
  // Of all addresses one is told that others reach.
  ['0.0.0.0', '0.0.0.0:9555', /^(?!0\.0\.0\.0)[\d.]+:9555$/],
  ['::', '[::]:9555', /^[\d.]+:9555$/],
])('listening on %s it says so', (address, bound, published) => {
  const { traffic } = listening(address)
  expect(traffic.boundAddress).toBe(bound)
  expect(traffic.publishAddress).toMatch(published)
})

it('follows connections, and tells of those that were closed for five minutes', () => {
  const made = listening('127.0.0.1')
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '::1', remotePort: 5, localPort: 9555 })
  made.server.emit('secureConnection', socket)
  const headers = { 'content-length': '7', 'user-agent': 'me', 'x-forwarded-for': '10.0.0.1' }
  made.server.emit('request', { socket, url: '/a', headers })
  made.server.emit('request', { socket, url: '/b', headers: { 'user-agent': 'me' } })
  made.server.emit('request', { socket: new EventEmitter(), url: '/c', headers: {} })
  expect(made.traffic.counts).toEqual({ open: 1, opened: 1 })
  expect(made.traffic.clients()).toMatchObject([
    { id: 1, remoteAddress: '[::1]:5', agent: 'me', lastUri: '/b', requests: 2, requestBytes: 7, closedMs: undefined },
  ])
  socket.emit('close')
  expect(made.traffic.counts).toEqual({ open: 0, opened: 1 })
  made.clock.nowMs += 300_000
  expect(made.traffic.clients()).toMatchObject([{ id: 1, closedMs: 1_000 }])
  made.clock.nowMs += 1
  expect(made.traffic.clients()).toEqual([])
})
