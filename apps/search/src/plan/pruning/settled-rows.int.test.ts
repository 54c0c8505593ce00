import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Engine } from '../../engine/engine.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { answerOf } from '../../testing/answer-of.ts'
import { type OpenServices, openServices } from '../../testing/search-services.ts'
import { searchContexts } from '../search-contexts.ts'

const bound = /_seq <= \d+/
const ofIndex = /_index (IN|BETWEEN)/

let statements: string[] = []
/** Runs once, after the next read of documents was answered by the engine and before whoever asked has the answer. */
let meanwhile: (() => Promise<void>) | undefined
/** What inserts wait for once their rows are in the engine. */
let held: Promise<void> | undefined
let inserts = 0

async function noted<T>(text: string, answer: Promise<T>): Promise<T> {
  statements.push(text)
  const given = await answer
  const work = text.includes('_source') ? meanwhile : undefined
  if (work) meanwhile = undefined
  await work?.()
  return given
}

const around = (engine: Engine): Engine => ({
  ...engine,
  rows: (query, options) => noted(query.text, engine.rows(query, options)),
  bytes: (query, format, options) => noted(query.text, engine.bytes(query, format, options)),
  async insertSegment(segment) {
    await engine.insertSegment(segment)
    inserts += 1
    await held
  },
})

const directory = mkdtempSync(join(tmpdir(), 'logstack-settled-'))
let services: OpenServices

beforeAll(async () => {
  services = await openServices(directory, { around })
})
afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

async function write(index: string, ids: readonly string[], isShown = true): Promise<void> {
  const results = await services.documents.apply(
    ids.map((id) => ({ action: 'index', index, id, source: Buffer.from(JSON.stringify({ of: index })) })),
  )
  for (const result of results) if ('error' in result) throw result.error
  if (isShown) await services.documents.shown([...services.catalogue.indices()].map(({ table }) => table))
}

/** The ids that a search finds, in the order of arrival. */
async function found(expression: string, body: Record<string, unknown> = {}): Promise<string[]> {
  statements = []
  const asked = { size: 100, query: { exists: { field: 'of' } }, ...body }
  const answer = await answerOf<{ hits: { hits: { _id: string }[] } }>(services, expression, asked)
  return answer.hits.hits.map(({ _id }) => _id)
}

/** The id of a point in time, of now. */
function pointInTime(name: string): string {
  const { catalogue, documents, now } = services
  const indices = catalogue.resolve(name, {
    ignoreUnavailable: false,
    allowNoIndices: false,
    expand: ['open'],
    forbidClosed: true,
  })
  const snapshots = new Map(indices.map(({ index: { table } }) => [table, documents.visibility(table)]))
  const context = { indices, scope: systemScope, snapshots, nowMs: now(), keepAliveMs: 60_000 }
  return searchContexts(services as unknown as Services).open(context, now()).id
}

/** Repeats a search until it compares rows neither with their snapshot nor with their index; what it finds must be right each time. */
async function untilSettled(expression: string, expected: readonly string[]): Promise<void> {
  // Unlike `waitFor` it ends at what is thrown.
  await vi.waitUntil(
    async () => {
      expect(await found(expression)).toEqual(expected)
      return !statements.some((text) => bound.test(text) || ofIndex.test(text))
    },
    { timeout: 60_000, interval: 50 },
  )
}

it('reads all rows of a table without comparing each with its snapshot and its index', async () => {
  await write('one-2026.01.01', ['a', 'b'])
  await untilSettled('one-*', ['a', 'b'])
  // A new index brings rows that are noted when they come.
  await write('one-2026.01.02', ['c'])
  expect(await found('one-*')).toEqual(['a', 'b', 'c'])
  expect(await found('one-2026.01.02')).toEqual(['c'])
  expect(statements.filter((text) => ofIndex.test(text))).not.toEqual([])
})

it('reads the rows of its snapshot when others are inserted while the engine answers', async () => {
  await write('during', ['a'])
  await untilSettled('during', ['a'])
  meanwhile = () => write('during', ['b'])
  expect(await found('during')).toEqual(['a'])
  const whole = statements.filter((text) => text.includes('_source'))
  expect(whole.map((text) => bound.test(text))).toEqual([false, true])
  expect(await found('during')).toEqual(['a', 'b'])
})

it('does not read rows that the engine has and nobody was shown', async () => {
  await write('held', ['a'])
  await untilSettled('held', ['a'])
  const pit = pointInTime('held')
  let release = (): void => undefined
  held = new Promise((resolve) => {
    release = resolve
  })
  const before = inserts
  await write('held', ['a', 'b'], false)
  const shown = services.documents.shown([...services.catalogue.indices()].map(({ table }) => table))
  await vi.waitFor(() => expect(inserts).toBeGreaterThan(before), { timeout: 30_000, interval: 10 })
  expect(await found('', { pit: { id: pit } })).toEqual(['a'])
  expect(statements.filter((text) => bound.test(text))).not.toEqual([])
  held = undefined
  release()
  await shown
  expect(await found('', { pit: { id: pit } })).toEqual(['a'])
  expect(await found('held')).toEqual(['a', 'b'])
})

it('does not read rows of an index that was deleted, nor of one that comes later', async () => {
  await write('gone-2026.01.01', ['a'])
  await write('gone-2026.01.02', ['b'])
  await untilSettled('gone-*', ['a', 'b'])
  const release = services.catalogue.keepRows([...services.catalogue.indices()].map(({ table }) => table))
  const [first] = [...services.catalogue.indices()].filter(({ name }) => name === 'gone-2026.01.01')
  if (first) await services.catalogue.deleteIndex(first)
  expect(await found('gone-*')).toEqual(['b'])
  expect(statements.filter((text) => ofIndex.test(text))).not.toEqual([])
  await write('gone-2026.01.01', ['c'])
  expect(await found('gone-*')).toEqual(['b', 'c'])
  release()
})

it('finds words among several texts of a document with a score that looks for them, too', async () => {
  await services.catalogue.createIndex({ name: 'texts', mappings: { properties: { said: { type: 'text' } } } })
  const text = (at: number) => (at % 2 === 0 ? 'nothing' : at % 100 === 3 ? ['other', 'words'] : 'some words')
  const results = await services.documents.apply(
    // So many that the engine has an index of their words.
    Array.from({ length: 3_000 }, (_, at) => ({
      action: 'index',
      index: 'texts',
      id: `${at}`,
      source: Buffer.from(JSON.stringify({ of: 'texts', said: text(at) })),
    })),
  )
  for (const result of results) if ('error' in result) throw result.error
  await services.documents.shown([...services.catalogue.indices()].map(({ table }) => table))
  const query = { function_score: { query: { match: { said: 'words' } }, weight: 2, boost_mode: 'replace' } }
  expect(await found('texts', { query, size: 3 })).toEqual(['1', '3', '5'])
  // Where nothing but the constant is left of all conditions.
  const functions = [{ filter: { match: { said: 'words' } }, weight: 2 }]
  expect(await found('texts', { query: { function_score: { functions } }, size: 3 })).toEqual(['1', '3', '5'])
  expect(statements.filter((statement) => statement.includes('_source') && bound.test(statement))).toEqual([])
})

it('compares rows with their snapshot where a statement has so many conditions that the engine is slower without', async () => {
  await write('conditions', ['a'])
  await untilSettled('conditions', ['a'])
  const filter = Array.from({ length: 100 }, (_, at) => ({ range: { 'of.keyword': { gte: `a${at}` } } }))
  expect(await found('conditions', { query: { bool: { filter: filter.slice(0, 10) } } })).toEqual(['a'])
  expect(statements.filter((text) => bound.test(text))).toEqual([])
  expect(await found('conditions', { query: { bool: { filter } } })).toEqual(['a'])
  expect(statements.filter((text) => bound.test(text))).not.toEqual([])
})
