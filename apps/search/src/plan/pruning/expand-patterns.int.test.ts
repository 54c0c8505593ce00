import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Predicate } from '@logstack/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cachedEngine } from '../../engine/read-cache.ts'
import { systemScope } from '../../security/role-scope.ts'
import { ident, sql } from '../../sql/sql.ts'
import { type OpenServices, openServices } from '../../testing/search-services.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import { planLeaves } from '../leaves/plan-leaves.ts'
import { scoreLeaf, scoreValue } from '../leaves/score-leaf.ts'
import { expandPatterns } from './expand-patterns.ts'

const cases = Number(process.env['LOGSTACK_CASES'] ?? 60)
const seed = Number(process.env['LOGSTACK_SEED'] ?? 7)
const segmentRows = 2_100

const pieces = ['mon', 'key', 'fox', 'bär', 'Straße', 'x_y', '10.0.0.', '1,000', 'ÉTÉ', 'İ', "o'n", '東京', 'a', 'zz']
const letters = fc.constantFrom(...pieces, 'm', 'k', 'o')
const word = fc.array(letters, { minLength: 1, maxLength: 3 }).map((of) => of.join(''))
const text = fc.array(word, { minLength: 0, maxLength: 5 }).map((words) => words.join(' '))
const document = fc.record(
  { message: text, english: text, late: text.map((of) => `${of} ${'long '.repeat(16)}`), many: fc.array(word) },
  { requiredKeys: [] },
)

const star = fc
  .array(fc.oneof(letters, fc.constantFrom('*', '?', '*')), { minLength: 1, maxLength: 4 })
  .map((of) => of.join(''))
const expression = fc
  .array(fc.constantFrom('mon', 'key', '.*', '.', 'fo[xy]', '(a|zz)+', '10', '[0-9]{2}', 'b.r', '[^a].*'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((of) => of.join(''))
const field = fc.constantFrom('message', 'english', 'late', 'many', 'absent')
const clause = fc
  .tuple(field, star, word, expression, fc.boolean(), fc.constantFrom(0, 1), fc.nat(6))
  .map(([path, wildcard, near, regexp, caseless, prefixed, kind]): unknown => {
    if (kind === 0) return { prefix: { [path]: { value: near, case_insensitive: caseless } } }
    if (kind === 1) return { wildcard: { [path]: { value: wildcard, case_insensitive: caseless } } }
    if (kind === 2) return { regexp: { [path]: { value: regexp, case_insensitive: caseless } } }
    if (kind === 3) return { fuzzy: { [path]: { value: near, fuzziness: 1 + prefixed, prefix_length: prefixed } } }
    if (kind === 4) return { match: { [path]: { query: `${near} ${wildcard}`, fuzziness: 'AUTO' } } }
    if (kind === 5) return { query_string: { query: `${path}:${near.replace(/[^a-z]/gu, '')}*` } }
    return { match: { [path]: near } }
  })
const { query } = fc.letrec<{ query: unknown }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 2 },
    { arbitrary: clause, weight: 3 },
    fc
      .tuple(
        fc.constantFrom('must', 'should', 'must_not', 'filter'),
        fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
      )
      .map(([kind, of]) => ({ bool: { [kind]: of } })),
    fc
      .array(tie('query'), { minLength: 2, maxLength: 3 })
      .map((should) => ({ bool: { should, minimum_should_match: 2 } })),
  ),
}))

const directory = mkdtempSync(joinPath(tmpdir(), 'logstack-patterns-'))
let services: OpenServices
/** What happens between the look into the indexes and that into the rows without one. */
let between: () => Promise<unknown> = async () => undefined
const sources = fc.sample(document, { numRuns: 4 * segmentRows, seed })
let written = 0

beforeAll(async () => {
  services = await openServices(directory, {
    around: (engine) => ({
      ...engine,
      rows: async (asked, options) => {
        const rows = await engine.rows(asked, options)
        if (asked.text.includes('groupUniqArrayIf')) await between()
        return rows
      },
    }),
  })
  await services.catalogue.createIndex({
    name: 'texts',
    mappings: {
      properties: {
        message: { type: 'text' },
        english: { type: 'text', analyzer: 'english' },
        many: { type: 'text' },
      },
    },
  })
  // The second segment makes the other dynamically mapped text long enough for an index, which the first has not.
  for (let at = 0; at < 2; at += 1) await write(segmentRows)
  await write(segmentRows, { late: 'so long a text that it proves to be worth an index '.repeat(12) })
  await write(segmentRows)
}, 120_000)
afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Writes so many documents, each with an id that others may have had before. */
async function write(count: number, over: Record<string, unknown> = {}): Promise<void> {
  const writes = Array.from({ length: count }, () => {
    written += 1
    const source = Buffer.from(JSON.stringify({ ...sources[written % sources.length], ...over }))
    return { action: 'index' as const, index: 'texts', id: String((written * 7) % 9_000), source }
  })
  await services.documents.apply(writes)
  await services.documents.shown([table().id])
}

async function remove(): Promise<void> {
  const ids = Array.from({ length: 5 }, (_, at) => String((written * 31 + at * 17) % 9_000))
  await services.documents.apply(ids.map((id) => ({ action: 'delete' as const, index: 'texts', id })))
  await services.documents.shown([table().id])
}

function table() {
  const index = services.catalogue.index('texts')
  if (!index) throw new Error('BUG: the index is gone')
  return services.catalogue.table(index.table)
}

const merge = (): Promise<void> =>
  services.engine.execute(sql`OPTIMIZE TABLE ${ident(table().name)} FINAL`, { slow: true })

function planned(given: unknown): Leaf {
  const options = { ignoreUnavailable: false, allowNoIndices: false, expand: ['open' as const], forbidClosed: true }
  const indices = services.catalogue.resolve('texts', options)
  const [leaf] = planLeaves(services, { indices, scope: systemScope, query: given, nowMs: 0, scored: true })
  if (!leaf) throw new Error('BUG: no leaf')
  return leaf
}

async function scoresOf(leaf: Leaf): Promise<unknown[][]> {
  const { from, where } = leafRows(services, leaf)
  const score = scoreValue(await scoreLeaf(services, leaf, {}))
  return services.engine.rows(sql`SELECT _id, toString(${score}) FROM ${from} WHERE ${where} ORDER BY _seq`)
}

const count = (predicate: Predicate, op: Predicate['op']): number =>
  JSON.stringify(predicate).split(`"op":"${op}"`).length - 1

/** Compares a query with and without its patterns expanded, over one snapshot; answers how many patterns were. */
async function compared(given: unknown): Promise<number> {
  const release = services.documents.hold()
  try {
    const leaf = planned(given)
    const expanded = await expandPatterns(services, leaf, {}, 1)
    expect({ given, found: await scoresOf(expanded) }).toEqual({ given, found: await scoresOf(leaf) })
    expect(expanded.asked).toBe(leaf.asked)
    return count(leaf.predicate, 'pattern') - count(expanded.predicate, 'pattern')
  } finally {
    release()
  }
}

describe('patterns over words', () => {
  it(`find the same, and score it alike, for ${cases} queries between writes, deletions and merges`, async () => {
    let expanded = 0
    const running: Promise<unknown>[] = []
    for (const [at, given] of fc.sample(query, { numRuns: cases, seed }).entries()) {
      if (at % 3 === 0) running.push(write(1 + ((at * 13) % 60)))
      if (at % 4 === 1) running.push(remove())
      if (at % 10 === 9) running.push(merge())
      if (at % 25 === 24) running.push(write(segmentRows))
      expanded += await compared(given)
    }
    await Promise.all(running)
    expect(expanded).toBeGreaterThan(cases / 2)
  }, 600_000)

  it.each<[string, () => Promise<unknown>]>([
    ['small parts are merged', merge],
    ['a segment comes', () => write(segmentRows)],
    ['a segment comes and is merged', () => write(segmentRows).then(merge)],
    ['documents are deleted and the rest is merged', () => remove().then(merge)],
  ])(
    'find words of all rows when %s after the indexes were read',
    async (_, happens) => {
      const queries = [{ wildcard: { message: '*onk*' } }, { prefix: { late: 'fo' } }, { fuzzy: { english: 'monkye' } }]
      for (const given of queries) {
        await write(40)
        await write(40)
        let left = 1
        between = async () => (left-- > 0 ? await happens() : undefined)
        expect(await compared(given)).toBe(1)
        between = async () => undefined
      }
    },
    120_000,
  )
})

describe('words of patterns', () => {
  it('are those that one small part has alone, before it is merged and after', async () => {
    const given = { prefix: { message: 'unheard' } }
    expect(await compared(given)).toBe(1)
    expect((await expandPatterns(services, planned(given), {}, 1)).predicate).toEqual({ op: 'none' })
    await write(1, { message: 'Unheardof things' })
    for (const happens of [async () => undefined, merge]) {
      await happens()
      const { predicate } = await expandPatterns(services, planned(given), {}, 1)
      expect(predicate).toMatchObject({ op: 'tokens', tokens: ['unheardof'] })
      expect(await scoresOf({ ...planned(given), predicate })).toHaveLength(1)
    }
  })

  it('are looked up though many rows in parts without an index have no text', async () => {
    await merge()
    await write(8_500, { message: undefined })
    expect(await compared({ prefix: { message: 'mon' } })).toBe(1)
  })

  it('are looked up anew for each snapshot, whatever the statement of another pattern looks like', async () => {
    const reading = { ...services, engine: cachedEngine(services.engine) }
    const given = { bool: { should: [{ prefix: { message: 'late' } }, { wildcard: { message: '*_seq <= 1*' } }] } }
    for (const words of [['latecomer'], ['latecomer', 'later']]) {
      await write(1, { message: words.at(-1) })
      const { predicate } = await expandPatterns(reading, planned(given), {}, 1)
      expect(predicate).toMatchObject({ op: 'tokens', tokens: words })
      await merge()
    }
  })
})

describe('patterns that stay', () => {
  it('are those over texts of several values, of few rows and of too many words', async () => {
    for (const given of [{ prefix: { many: 'mon' } }, { prefix: { absent: 'mon' } }])
      expect(await compared(given)).toBe(0)
    const leaf = planned({ prefix: { message: 'mon' } })
    expect(await expandPatterns(services, leaf, {})).toBe(leaf)
    const words = Array.from({ length: 1_100 }, (_, at) => `many${at}words`).join(' ')
    await write(1, { message: words })
    expect(await compared({ prefix: { message: 'many' } })).toBe(0)
    expect(await compared({ prefix: { message: 'many10' } })).toBe(1)
  })

  it('are those of which the engine has no index yet', async () => {
    const column = services.catalogue.column(table(), 'message', 'text')
    await services.engine.execute(
      sql`ALTER TABLE ${ident(table().name)} DROP INDEX ${ident(`tokens_${column?.name}`)}`,
      { slow: true },
    )
    expect(await compared({ prefix: { message: 'mon' } })).toBe(0)
  })
})
