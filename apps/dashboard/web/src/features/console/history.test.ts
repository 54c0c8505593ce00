import { expect, test } from 'vitest'
import { type SentRequest, textOf, withSent } from './history.ts'
import { parseRequests } from './parse-requests.ts'

const send = (history: readonly SentRequest[], text: string, atMs: number): SentRequest[] =>
  parseRequests(text).reduce((sum: SentRequest[], one) => withSent(sum, one, atMs), [...history])

test('what was sent comes first, once, and reads as it was written', () => {
  const search = 'GET logs-*/_search\n{ "size": 1 }\n'
  const history = send(send(send([], search, 1), 'GET _cat/indices', 2), search, 3)
  expect(history.map(({ path, atMs }) => [path, atMs])).toEqual([
    ['logs-*/_search', 3],
    ['_cat/indices', 2],
  ])
  expect(history[0] && textOf(history[0])).toBe(search)
})

test('a hundred are kept, and no passwords', () => {
  const many = Array.from({ length: 120 }, (_, at) => `GET index-${at}`).join('\n')
  expect(send([], many, 1)).toHaveLength(100)
  const [user] = send([], 'PUT /_security/user/x\n{ "password": "secret-word" }', 1)
  expect(JSON.stringify(user)).not.toContain('secret-word')
  const [copy] = send([], 'POST _reindex\n{ "source": { "remote": { "password": "secret-word" } } }', 1)
  expect(JSON.stringify(copy)).not.toContain('secret-word')
})
