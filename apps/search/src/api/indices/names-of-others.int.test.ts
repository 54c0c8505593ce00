import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../../testing/https-client.ts'

let search: TestSearch
let client: WireClient
const password = 'password-of-all'

async function send(method: string, path: string, body?: object, name?: string) {
  const auth = name === undefined ? {} : { auth: `${name}:${password}` }
  const answer = await client.send(path, { method, ...(body === undefined ? {} : { body }), ...auth })
  return { status: answer.status, text: answer.text }
}

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  await send('PUT', '/_security/role/own', { indices: [{ names: ['own-*'], privileges: ['all'] }] })
  await send('PUT', '/_security/user/own', { password, roles: ['own'] })
  await send('PUT', '/own-1', { settings: { 'index.blocks.write': true } })
  await send('PUT', '/own-r-000001', { aliases: { 'own-rolled': { is_write_index: true } } })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

it.each([
  ['an index', 'PUT', '/own-new'],
  ['a copy of an index', 'PUT', '/own-1/_clone/own-copy'],
  ['the next index of an alias', 'POST', '/own-rolled/_rollover'],
])('who makes %s gives it no name of others', async (_what, method, path) => {
  const refused = await send(
    method,
    path,
    { aliases: { 'own-name': {}, 'others-name': { is_write_index: true } } },
    'own',
  )
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('on indices [others-name]')])
  expect(await send('HEAD', '/_alias/others-name')).toMatchObject({ status: 404 })
  const own = await send(method, path, { aliases: { 'own-name': {} } }, 'own')
  expect(own.text).toContain('"acknowledged":true')
})
