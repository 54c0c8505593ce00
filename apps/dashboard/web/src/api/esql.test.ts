import { afterEach, expect, test, vi } from 'vitest'
import { askEsql, warningsIn } from './esql.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const answered = (body: unknown, init: ResponseInit = {}): void => {
  vi.stubGlobal('document', { baseURI: 'https://dashboard.test/' })
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), init))
}

test('an answer comes with what search warned of', async () => {
  const warning = '299 Elasticsearch-8.19.0-abc "No limit defined, adding default limit of [1000]"'
  const body = { took: 1, columns: [{ name: 'n', type: 'long' }], values: [[1]] }
  answered(body, { headers: { warning } })
  const warnings = ['No limit defined, adding default limit of [1000]']
  expect(await askEsql({ query: 'FROM a' })).toEqual({ ...body, warnings })
})

test('a refusal says where', async () => {
  const reason = 'Found 1 problem\nline 1:20: Unknown column [x]'
  answered({ error: { type: 'verification_exception', reason, root_cause: [{ reason }] } }, { status: 400 })
  await expect(askEsql({ query: 'FROM a' })).rejects.toMatchObject({ message: reason, code: 'verification_exception' })
})

test('several warnings are told apart, quotes in them are kept', () => {
  expect(warningsIn('299 E-1 "one, \\"two\\"", 299 E-1 "three"')).toEqual(['one, "two"', 'three'])
  expect(warningsIn(null)).toEqual([])
})
