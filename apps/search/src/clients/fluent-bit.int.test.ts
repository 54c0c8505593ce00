import { expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

// What Fluent Bit's outputs `es` and `opensearch` send where nothing is set, and what they read of the answers.
const send = searchOverWire()
const ask = (body: string, query = '') =>
  send(`/_bulk${query}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-ndjson', 'user-agent': 'Fluent-Bit' },
  })
const chunk = (action: object, count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `${JSON.stringify(action)}\n{"@timestamp":"2026-11-21T08:22:34.504Z","n":${n}}\n`,
  ).join('')

it('takes a chunk with the type that it sends by default', async () => {
  const answer = await ask(chunk({ create: { _index: 'fluent-bit', _type: '_doc' } }, 2))
  expect(answer.json()).toMatchObject({
    errors: false,
    items: [{ create: { status: 201 } }, { create: { status: 201 } }],
  })
})

it('finds in the beginning of a long answer that all is well, as it reads no more than half a megabyte', async () => {
  const answer = await ask(chunk({ create: { _index: 'fluent-bit', _type: '_doc' } }, 4_000))
  expect(answer.text.length).toBeGreaterThan(512_000)
  expect(answer.text.slice(0, 512_000)).toContain('"errors":false,"items":[')
  const failed = await ask(chunk({ create: { _index: 'fluent-bit', pipeline: 'absent' } }, 1))
  expect(failed.text).not.toContain('"errors":false')
  const through = await ask(chunk({ create: { _index: 'fluent-bit' } }, 1), '?pipeline=_none')
  expect(through.text).toContain('"errors":false,"items":[')
})
