import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll } from 'vitest'
import { type WireClient, wireClient } from './https-client.ts'

/** Starts a search of its own before the tests of a file and stops it after them; what is given back asks it as the administrator. */
export function searchOverWire(): WireClient['send'] {
  let search: TestSearch | undefined
  let client: WireClient | undefined
  beforeAll(async () => {
    search = await startSearch()
    const auth = `${search.username}:${search.password}`
    client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  })
  afterAll(async () => {
    client?.close()
    await search?.stop()
  })
  return (path, request) => {
    if (!client) throw new Error('BUG: search was asked before it was started')
    return client.send(path, request)
  }
}
