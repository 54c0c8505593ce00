import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import { systemScope } from '../../security/role-scope.ts'
import { sql } from '../../sql/sql.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { type Leaf, leafRows } from '../leaves/leaves.ts'
import { planLeaves } from '../leaves/plan-leaves.ts'
import { scoreLeaf } from '../leaves/score-leaf.ts'
import { bucketQueries, withKnownValues } from './known-values.ts'

let services: TestServices
let at = 0

const keyword = { type: 'keyword' }

/** Texts that dynamic mapping makes are short, and have no token index. */
function document(row: number): Record<string, unknown> {
  return {
    message: `message ${row} of host h${row % 5}`,
    host: `h${row % 5}`,
    level: row % 3 === 0 ? ['warn', 'Ünusual'] : 'info',
    os: row % 2 === 0 ? 'Debian GNU Linux' : 'Windows Server',
    id: `id-${row}`,
    ...(row === 7 ? { rare: `r${row}` } : {}),
  }
}

async function write(count: number, of = document): Promise<void> {
  const rows = Array.from({ length: count }, () => at++)
  await services.write(
    'events',
    rows.map((row) => [`${row}`, of(row)]),
  )
}

beforeAll(async () => {
  services = await openTestServices()
  await services.create('events', {
    properties: {
      message: { type: 'text' },
      host: keyword,
      level: keyword,
      id: keyword,
      rare: keyword,
      letters: keyword,
    },
  })
  columnValues(services, { rowsMin: 0 })
  await write(5_000)
}, 60_000)
afterAll(() => services.close())

async function leafOf(query: unknown): Promise<{ readonly plain: Leaf; readonly known: Leaf }> {
  const indices = services.catalogue.resolve('events', {
    ignoreUnavailable: false,
    allowNoIndices: false,
    expand: ['open'],
    forbidClosed: true,
  })
  const [plain] = planLeaves(services, { indices, scope: systemScope, query, nowMs: 0, scored: true })
  if (!plain) throw new Error('BUG: no leaf')
  return { plain, known: await withKnownValues(services, plain, {}, 1) }
}

async function idsOf(leaf: Leaf): Promise<string[]> {
  const { from, where } = leafRows(services, leaf)
  const rows = await services.engine.rows(sql`SELECT _id FROM ${from} WHERE ${where} ORDER BY _seq`)
  return rows.map(([id]) => String(id))
}

/** What a query became, having found the same rows; how many they are. */
async function asked(query: unknown): Promise<{ readonly predicate: Leaf['predicate']; readonly count: number }> {
  const { plain, known } = await leafOf(query)
  const ids = await idsOf(known)
  expect(ids).toEqual(await idsOf(plain))
  return { predicate: known.predicate, count: ids.length }
}

const words = (query: string) => ({ multi_match: { query, lenient: true } })

describe('conditions on columns of few values', () => {
  it('are left out where no row meets them', async () => {
    expect(await asked({ term: { host: 'nowhere' } })).toEqual({ predicate: { op: 'none' }, count: 0 })
    const { predicate } = await asked(words('7'))
    expect(JSON.stringify(predicate)).not.toMatch(/"(host|level|os|os\.keyword)"/)
    expect(JSON.stringify(predicate)).toContain('"message"')
  })

  it('stay where some row does, in a list too', async () => {
    const level = { path: 'level', type: 'string' }
    expect(await asked({ term: { level: 'Ünusual' } })).toEqual({
      predicate: { op: 'equals', field: level, values: ['Ünusual'] },
      count: 1_667,
    })
    expect((await asked({ bool: { must_not: { terms: { level: ['nothing', 'info'] } } } })).predicate).toEqual({
      op: 'not',
      of: { op: 'equals', field: level, values: ['info'] },
    })
  })

  it('name the values that a pattern means, and the texts that hold words', async () => {
    const wildcard = await asked({ wildcard: { host: 'h*' } })
    expect(wildcard).toMatchObject({ predicate: { op: 'equals' }, count: 5_000 })
    const texts = { op: 'equals', field: { path: 'os', type: 'text' } }
    for (const [query, count] of [
      [{ match: { os: 'linux' } }, 2_500],
      [{ match_phrase: { os: 'windows server' } }, 2_500],
      [{ match: { os: { query: 'linux server', operator: 'or' } } }, 5_000],
      [{ prefix: { os: 'win' } }, 2_500],
    ] as const)
      expect(await asked(query)).toMatchObject({ predicate: texts, count })
    expect(await asked({ match_phrase: { os: 'server windows' } })).toEqual({ predicate: { op: 'none' }, count: 0 })
  })

  it('are as they were on columns of many values', async () => {
    const id = { op: 'equals', field: { path: 'id', type: 'string' }, values: ['id-17'] }
    expect(await asked({ term: { id: 'id-17' } })).toEqual({ predicate: id, count: 1 })
    expect(await asked({ term: { id: 'nowhere' } })).toMatchObject({ predicate: { op: 'equals' }, count: 0 })
  })

  it('find what was written since, and a value in a column that is new', async () => {
    expect(await asked(words('brandnew'))).toMatchObject({ count: 0 })
    await write(1, (row) => ({ ...document(row), os: 'brandnew' }))
    expect(await asked(words('brandnew'))).toMatchObject({ count: 1 })
    await write(1, (row) => ({ ...document(row), host: ['several', 'brandnew'], later: 'brandnew' }))
    expect(await asked(words('brandnew'))).toMatchObject({ count: 2 })
    await write(1, (row) => ({ ...document(row), later: ['x', 'brandnew too'] }))
    expect(await asked({ match: { later: 'too' } })).toMatchObject({ count: 1 })
  })

  it('see no value that is longer than what is kept', async () => {
    const long = 'ü'.repeat(200)
    await write(1, (row) => ({ ...document(row), level: long }))
    expect(await asked({ term: { level: long } })).toMatchObject({ count: 1 })
    expect(await asked({ term: { level: 'nowhere' } })).toMatchObject({ predicate: { op: 'equals' }, count: 0 })
  })
})

it('leaves to the engine what it compares otherwise than this process', async () => {
  await write(1, (row) => ({ ...document(row), letters: 'ΣΊΣΥΦΟΣ' }))
  await write(1, (row) => ({ ...document(row), letters: 'ſ' }))
  await write(1, (row) => ({ ...document(row), letters: 'äb' }))
  await write(1, (row) => ({ ...document(row), letters: '\ud800' }))
  const insensitive = (value: string) => ({ value, case_insensitive: true })
  for (const query of [
    { term: { letters: insensitive('σίσυφος') } },
    { wildcard: { letters: insensitive('σ*σ') } },
    { prefix: { letters: insensitive('ΣΊΣ') } },
    { term: { letters: insensitive('s') } },
    { term: { letters: '\ud800' } },
    { prefix: { letters: '\udc00' } },
    { bool: { must_not: { terms: { letters: ['info', '\ud800'] } } } },
    { fuzzy: { letters: { value: 'bä', fuzziness: 1 } } },
    { fuzzy: { host: { value: 'x1', fuzziness: 1 } } },
  ])
    await asked(query)
})

/** What the query of a bucket comes to among all rows, having found the same. */
async function bucketOf(query: unknown, { plain: leaf }: { readonly plain: Leaf }): Promise<string> {
  const lowered = leaf.context.lower(query)
  const predicate = (await bucketQueries(services, [leaf], [query], {}))(leaf, query)
  expect(await idsOf({ ...leaf, predicate })).toEqual(await idsOf({ ...leaf, predicate: lowered }))
  return JSON.stringify(predicate)
}

it('decides conditions of buckets by what is known, and has the rest read', async () => {
  const query = { multi_match: { query: 'debian', lenient: true, fields: ['host', 'level', 'os', 'later'] } }
  const before = await leafOf({ match_all: {} })
  await write(1, (row) => ({ ...document(row), os: 'debian of another day' }))
  const leaf = await leafOf({ match_all: {} })
  await services.documents.shown([leaf.plain.table.id])
  await expect.poll(() => bucketOf(query, leaf), { timeout: 10_000 }).toContain('debian of another day')
  expect(await bucketOf(query, leaf)).not.toContain('"host"')
  await bucketOf(query, before)
})

it('looks for the needles of buckets among the rows of the search first', async () => {
  const { plain } = await leafOf({ match_all: {} })
  await services.catalogue.ensureColumns(plain.table, [{ path: 'id', type: 'string', many: false, indexed: true }])
  const fields = ['host', 'level', 'os', 'later', 'id']
  const bucket = async (query: string, within: unknown) =>
    bucketOf({ multi_match: { query, lenient: true, fields } }, await leafOf(within))
  await expect.poll(() => bucket('debian', { match_all: {} }), { timeout: 10_000 }).not.toContain('"id"')
  expect(await bucket('id-17', { match_all: {} })).toContain('"id"')
})

it('gives the same scores', async () => {
  for (const query of [words('debian 7'), words('id-17'), { match: { os: 'debian windows' } }]) {
    const { plain, known } = await leafOf(query)
    expect(known.score).not.toEqual(undefined)
    expect(await scoresOf(known)).toEqual(await scoresOf(plain))
  }
})

async function scoresOf(leaf: Leaf): Promise<unknown> {
  const score = await scoreLeaf(services, leaf, {})
  if (typeof score === 'number') return score
  const { from, where } = leafRows(services, leaf)
  return services.engine.rows(sql`SELECT _seq, ${score} FROM ${from} WHERE ${where} ORDER BY _seq`)
}
