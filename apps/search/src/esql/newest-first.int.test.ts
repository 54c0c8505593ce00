import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { columnValues } from '../documents/column-values.ts'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { ask, write } from './run-esql.fixture.ts'

/** The newest documents are looked for among the newest rows first: what comes of it is what the whole look finds, and it is found by less. */

const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-newest-'))
const statements: string[] = []
let services: OpenServices
/** A look among the newest rows. */
const narrow = /`z\d+` >= \d+/u
const documents = 40_000
const from = Date.parse('2026-01-01T00:00:00Z')

beforeAll(async () => {
  services = await openServices(directory, {
    around: (plain) => ({
      ...plain,
      rows(query, options) {
        statements.push(query.text)
        return plain.rows(query, options)
      },
    }),
  })
  columnValues(services, { rowsMin: 0 })
  const mappings = { properties: { '@timestamp': { type: 'date' }, n: { type: 'long' }, kind: { type: 'keyword' } } }
  for (const name of ['timed', 'untimed']) await services.catalogue.createIndex({ name, mappings })
  const made = Array.from({ length: documents }, (_, n) => ({
    '@timestamp': new Date(from + n * 1000).toISOString(),
    n,
    kind: n < 100 ? 'old' : 'new',
  }))
  for (const name of ['timed', 'untimed']) await write(services, name, made)
  await write(services, 'untimed', [{ n: -1, kind: 'none' }])
  // How rows lie in time is read in the background, once somebody asks.
  for (const name of ['timed', 'untimed'])
    await vi.waitFor(async () => {
      await ask(services, `FROM ${name} | SORT @timestamp DESC NULLS LAST | LIMIT 1`)
      expect(statements.at(-1)).toMatch(narrow)
    }, 10_000)
}, 60_000)

afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('the newest documents', () => {
  it.each([
    ['FROM timed | SORT @timestamp DESC | LIMIT 3 | KEEP n', [[39_999], [39_998], [39_997]], true],
    ['FROM timed | SORT @timestamp DESC, n | KEEP n | LIMIT 1', [[39_999]], true],
    ['FROM timed | WHERE kind == "old" | SORT @timestamp DESC | LIMIT 2 | KEEP n', [[99], [98]], false],
    ['FROM untimed | SORT @timestamp DESC | LIMIT 2 | KEEP n', [[-1], [39_999]], false],
    ['FROM untimed | SORT @timestamp DESC NULLS LAST | LIMIT 2 | KEEP n', [[39_999], [39_998]], true],
    ['FROM timed | SORT @timestamp | LIMIT 1 | KEEP n', [[0]], false],
    ['FROM timed | EVAL @timestamp = @timestamp - 1 day | SORT @timestamp DESC | LIMIT 1 | KEEP n', [[39_999]], false],
    ['FROM timed | SORT @timestamp DESC | LIMIT 2 | STATS s = SUM(n)', [[79_997]], false],
  ])('%s', async (text, expected, isNarrow) => {
    statements.length = 0
    expect((await ask(services, text)).rows).toEqual(expected)
    const last = statements.at(-1) ?? ''
    expect(narrow.test(last), last).toBe(isNarrow)
  })
})
