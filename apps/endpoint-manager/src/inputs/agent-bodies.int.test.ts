import { randomUUID } from 'node:crypto'
import { request } from 'node:https'
import { gzipSync } from 'node:zlib'
import { issueClientCertificate } from '@logstack/pki'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestedPart, type TestedPart } from '../start-part.testing.ts'

vi.mock('../limits.ts', async (load) => {
  const { limits } = await load<typeof import('../limits.ts')>()
  return { limits: { ...limits, waitingBytesMax: 100_000 } }
})

let part: TestedPart
beforeAll(async () => {
  part = await startTestedPart()
})
afterAll(() => part?.stop())

it('bodies of agents beyond the limit are refused before they are there, until others are done', async () => {
  const { ca, authority } = await testCertificates()
  const id = randomUUID()
  const { cert, key } = await issueClientCertificate(authority, { commonName: id })
  part.search.indices.set('.logstack-agents', new Map([[id, { active: true }]]))
  const head = { agent: { id, name: 'web1', version: '0.1.0' }, spool: '0a1b2c3d' }
  const record = { offset: 0, time: 1, data_stream: { type: 'logs', dataset: 'app' }, event: { message: 'm' } }
  const body = gzipSync(`${JSON.stringify(head)}\n${JSON.stringify(record)}\n`)
  const post = (length: number, sent: Buffer | undefined) => {
    const headers = { 'content-encoding': 'gzip', 'content-length': length }
    const url = `https://127.0.0.1:${part.ports.https}/api/agents/${id}/events`
    const outgoing = request(url, { method: 'POST', ca, cert, key, headers, agent: false })
    const status = new Promise<number | undefined>((resolve) => {
      outgoing.on('response', (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode)))
      outgoing.on('error', () => resolve(undefined))
    })
    if (sent) outgoing.end(sent)
    else outgoing.flushHeaders()
    return { status, stop: () => outgoing.destroy() }
  }
  expect(await post(body.length, body).status).toBe(200)
  const slow = post(100_000, undefined)
  const statusNow = async (): Promise<number | undefined> => await post(body.length, body).status
  for (const end = Date.now() + 60_000; (await statusNow()) !== 429; ) expect(Date.now()).toBeLessThan(end)
  // All of it is announced, none of it is sent: only who looks at heads alone can answer.
  expect(await post(90_000, undefined).status).toBe(429)
  slow.stop()
  for (const end = Date.now() + 60_000; (await statusNow()) !== 200; ) expect(Date.now()).toBeLessThan(end)
})
