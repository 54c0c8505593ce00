import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerOf } from '../../testing/answer-of.ts'
import { type OpenServices, openServices } from '../../testing/search-services.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-search-'))
const titles = ['the quick brown fox', 'the lazy dog sleeps all day long in the sun', 'fox fox fox', 'nothing of this']
/** More than the rows that words are counted in. */
const others = 21_000
let services: OpenServices

beforeAll(async () => {
  services = await openServices(directory)
})
afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

async function write(index: string, written: readonly string[]): Promise<void> {
  const mappings = { properties: { title: { type: 'text' } } }
  await services.catalogue.createIndex({ name: index, mappings })
  const results = await services.documents.apply(
    written.map((title) => ({ action: 'create', index, source: Buffer.from(JSON.stringify({ title })) })),
  )
  for (const result of results) if ('error' in result) throw result.error
}

interface Answer {
  readonly hits: { readonly hits: readonly { readonly _score: number; readonly _source: unknown }[] }
}

/** BM25 of a word as Lucene computes it, among the four titles. */
function bm25(frequency: number, length: number, holding: number): number {
  const rarity = Math.log(1 + (4 - holding + 0.5) / (holding + 0.5))
  const average = (4 + 10 + 3 + 3) / 4
  return (2.2 * rarity * frequency) / (frequency + 1.2 * (0.25 + (0.75 * length) / average))
}

async function expectScores(index: string): Promise<void> {
  const { hits } = await answerOf<Answer>(services, index, { query: { match: { title: 'fox' } } })
  expect(hits.hits.map(({ _score, _source }) => [_score, _source])).toEqual([
    [expect.closeTo(bm25(3, 3, 2), 5), { title: titles[2] }],
    [expect.closeTo(bm25(1, 4, 2), 5), { title: titles[0] }],
  ])
}

it('are those of the indices that are searched, however many came into others since', async () => {
  const many = Array.from({ length: others }, (_, at) => `number ${at} of a fox`)
  await write('daily-2026.11.01', titles)
  await write('books', titles)
  await write('daily-2026.11.02', many)
  await expectScores('daily-2026.11.01')
  await expectScores('books')
  await write('elsewhere', many)
  await write('daily-2026.11.03', ['one more'])
  await expectScores('daily-2026.11.01')
  await services.close()
  services = await openServices(directory)
  await expectScores('daily-2026.11.01')
  await expectScores('books')
})

it('are some twenty thousand of more', async () => {
  const { hits } = await answerOf<Answer>(services, 'daily-2026.11.02', { query: { match: { title: 'fox' } }, size: 1 })
  const [hit] = hits.hits
  expect(hit?._score).toBeGreaterThan(0)
  // All of some 20,000 hold the word: of all there are it would score less by a twentieth.
  expect(hit?._score).toBeCloseTo((2.2 * Math.log(1 + 0.5 / 20_000.5)) / (1 + 1.2), 9)
})
