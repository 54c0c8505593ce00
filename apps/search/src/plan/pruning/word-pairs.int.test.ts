import type { Predicate } from '@logstack/rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { predicateSql } from '../../sql/predicate-to-sql.ts'
import { ident, sql } from '../../sql/sql.ts'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// Few words, so that pairs are said again and again, the wrong way round and with others between them; some are cut apart, some are left out by an analyzer.
const vocabulary = ['failed', 'password', 'for', 'root', 'the', '10.0.0.1', 'port', "it's", 'Ünï', 'a_b', '22']
const separators = [' ', ' ', ', ', ' - ', '\n', ' ®']
const documents = 3_500
const few = 40

let state = 17
/** The same numbers in each run. */
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}
const oneOf = (list: readonly string[]): string => list[random(list.length)] ?? ''
const textOf = (words: number): string =>
  Array.from({ length: words }, () => oneOf(vocabulary) + oneOf(separators)).join('')
const messageOf = (at: number): unknown => (at % 9 === 0 ? [textOf(random(4)), textOf(random(6))] : textOf(random(8)))

const phrases = Array.from({ length: 16 }, () =>
  Array.from({ length: 1 + random(4) }, () => oneOf(vocabulary)).join(' '),
)
const queries = phrases.flatMap((phrase, at): readonly (readonly [string, unknown])[] => {
  const field = at % 3 === 0 ? 'english' : 'message'
  return [
    [`phrase ${phrase}`, { match_phrase: { [field]: phrase } }],
    [`not phrase ${phrase}`, { bool: { must_not: { match_phrase: { [field]: phrase } } } }],
    [`phrase near ${phrase}`, { match_phrase: { [field]: { query: phrase, slop: 2 } } }],
    [`start ${phrase}`, { match_phrase_prefix: { [field]: phrase.slice(0, -1) } }],
    [`query string ${phrase}`, { query_string: { query: `"${phrase}" OR "22 22"`, fields: ['message', 'english'] } }],
  ]
})

let search: NotedSearch
beforeAll(async () => {
  search = await openNotedSearch(() => Date.UTC(2026, 0, 1))
  const written = Array.from({ length: documents }, (_, at): [string, unknown] => {
    const value = messageOf(at)
    return [`${at}`, { message: value, english: value }]
  })
  for (const index of ['plain', 'paired']) {
    const text = { type: 'text', ...(index === 'paired' ? { index_phrases: true } : {}) }
    await search.services.create(index, { properties: { message: text, english: { ...text, analyzer: 'english' } } })
    // The first part is too small to get indexes before it is merged.
    await search.services.write(index, written.slice(0, few))
    await search.services.write(index, written.slice(few))
  }
}, 60_000)
afterAll(() => search.services.close())

async function found(index: string, query: unknown): Promise<ReadonlyMap<string, number>> {
  const request = { query, size: documents, _source: false }
  const { hits } = await search.ask<{ hits: { hits: { _id: string; _score: number }[] } }>(index, request)
  return new Map(hits.hits.map(({ _id, _score }) => [_id, _score]))
}

const tableOf = (index: string) => {
  const meta = search.services.catalogue.index(index)
  if (!meta) throw new Error(`there is no index ${index}`)
  return search.services.catalogue.table(meta.table)
}

describe.each(['as they are inserted', 'once they are merged'])('pairs of words, %s', (when) => {
  beforeAll(async () => {
    if (when !== 'once they are merged') return
    for (const index of ['plain', 'paired'])
      await search.services.engine.execute(sql`OPTIMIZE TABLE ${ident(tableOf(index).name)} FINAL`)
  })

  it.each(queries)('find what the texts say: %s', async (_, query) => {
    expect(await found('paired', query)).toEqual(await found('plain', query))
  })
})

it('asks the index of pairs alone for a phrase of two words, and only where there is one', async () => {
  const { engine, catalogue } = search.services
  const phrase: Predicate = {
    op: 'phrase',
    field: { path: 'message', type: 'text' },
    tokens: ['failed', 'password'],
    slop: 0,
    prefix: false,
  }
  const planOf = async (index: string): Promise<string> => {
    const table = tableOf(index)
    const column = catalogue.column(table, 'message', 'text')
    if (!column) throw new Error('there is no column')
    const { name, cut, pairs } = column
    // Without the companion, which is looked at in every row that has several values.
    const where = predicateSql(phrase, () => ({
      one: ident(name),
      many: undefined,
      ...(cut ? { cut } : {}),
      ...(pairs ? { pairs } : {}),
    }))
    const plan = sql`EXPLAIN actions = 1 SELECT _seq FROM ${ident(table.name)} WHERE ${where}`
    return (await engine.rows(plan)).flat().join('\n').replaceAll(name, 'message')
  }
  const [paired, plain] = [await planOf('paired'), await planOf('plain')]
  expect(paired).toContain('__text_index_pairs_message')
  expect(paired).not.toContain('hasSubstr')
  expect(plain).not.toContain('pairs_')
  expect(plain).toContain('hasSubstr')
  expect((await found('paired', { match_phrase: { message: 'failed password' } })).size).toBeGreaterThan(few)
})
