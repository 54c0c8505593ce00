import { afterEach, expect, test, vi } from 'vitest'
import { request } from './client.ts'
import { abandonSession, renewSession, sessionEvents } from './session-end.ts'

let isLoggedIn = true
const sent: string[] = []
let ended = 0

/** A dashboard whose session can end. */
function dashboard(): void {
  isLoggedIn = true
  sent.length = 0
  ended = 0
  vi.stubGlobal('document', { baseURI: 'https://dashboard.test/' })
  vi.stubGlobal('fetch', async (url: URL, init: { body?: string }) => {
    sent.push(`${url.pathname} ${init.body ?? ''}`.trim())
    if (url.pathname === '/api/search' && !isLoggedIn)
      return new Response('{"message":"Log in first."}', { status: 401 })
    if (url.pathname === '/api/forbidden') {
      return new Response('{"error":{"reason":"no"}}', { status: 401, headers: { 'x-search-status': '401' } })
    }
    if (url.pathname === '/api/session') return new Response('{"message":"wrong"}', { status: 401 })
    return new Response(`{"body":${init.body ?? 'null'}}`)
  })
}

const onEnded = (): void => void ended++
sessionEvents.addEventListener('ended', onEnded)

afterEach(() => {
  abandonSession(new Error('the test is over'))
  vi.unstubAllGlobals()
})

test('requests that find the session ended wait for the login, and are asked again with what they carried', async () => {
  dashboard()
  isLoggedIn = false
  const asked = [1, 2].map((json) => request('api/search', { method: 'POST', json }))
  await vi.waitFor(() => expect(sent).toHaveLength(2), { timeout: 60_000 })
  await vi.waitFor(() => expect(ended).toBe(1), { timeout: 60_000 })
  // Not even sent: it would be refused, too.
  const later = request('api/search', { method: 'POST', json: 3 })
  isLoggedIn = true
  renewSession()
  expect(await Promise.all([...asked, later])).toEqual([{ body: 1 }, { body: 2 }, { body: 3 }])
  expect(sent.filter((line) => line.endsWith(' 3'))).toHaveLength(1)
  expect(sent).toHaveLength(5)
})

test('who goes away while the login is awaited is not asked for again', async () => {
  dashboard()
  isLoggedIn = false
  const gone = new AbortController()
  const asked = request('api/search', { signal: gone.signal })
  const refused = expect(asked).rejects.toThrow('gone')
  await vi.waitFor(() => expect(ended).toBe(1), { timeout: 60_000 })
  gone.abort(new Error('gone'))
  await refused
  renewSession()
  expect(sent).toHaveLength(1)
})

test('what waits fails when somebody else logs in', async () => {
  dashboard()
  isLoggedIn = false
  const asked = request('api/search')
  const refused = expect(asked).rejects.toThrow('another user')
  await vi.waitFor(() => expect(ended).toBe(1), { timeout: 60_000 })
  abandonSession(new Error('another user'))
  await refused
  expect(sent).toHaveLength(1)
})

test('a wrong password and a right that search refuses are errors, not the end of the session', async () => {
  dashboard()
  await expect(request('api/session', { method: 'POST', json: {} })).rejects.toThrow('wrong')
  await expect(request('api/forbidden')).rejects.toThrow('no')
  expect(ended).toBe(0)
})
