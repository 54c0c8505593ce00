import { join } from 'node:path'
import { fromDebian, fromPyPI, startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorityFile, runClient } from './run-client.testing.ts'
import { sampleEvents, sampleMappings } from './sample-events.testing.ts'

// elasticsearch-py: Debian's version 7, which asks for the product before all else, and the newest of PyPI with its asyncio client.
const python = process.env['LOGSTACK_PYTHON'] ?? 'python3'
const [ofDebian, ofPyPI] = await Promise.all([
  fromDebian(['python3-elasticsearch']),
  fromPyPI(python, ['elasticsearch[async]==9.5.1']),
])

let search: TestSearch

beforeAll(async () => {
  if (ofDebian.missing === undefined || ofPyPI.missing === undefined) search = await startSearch()
})
afterAll(() => search?.stop())

const events = sampleEvents(700)
const errors = events.filter(({ level }) => level === 'error').map(({ n }) => n)
const withNote = events.filter(({ note }) => note !== null).length

async function exercise(interpreter: string, script: string, packages: string): Promise<unknown> {
  const env = {
    PYTHONPATH: packages,
    PYTHONDONTWRITEBYTECODE: '1',
    SEARCH_URL: search.url,
    SEARCH_USER: search.username,
    SEARCH_PASSWORD: search.password,
    SEARCH_CA: await authorityFile(),
    MAPPINGS: JSON.stringify(sampleMappings),
  }
  const command = [interpreter, join(import.meta.dirname, 'python', script)]
  const { code, stdout, stderr } = await runClient(command, { env, stdin: JSON.stringify(events) })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

const exercised = {
  server: expect.stringMatching(/^8\.19\./u),
  exists: [false, true],
  documents: {
    results: ['created', 'updated', 'deleted'],
    source: { level: 'none', n: -2 },
    found: [true, false],
    missing: 404,
    conflict: true,
    refused: 'parsing_exception',
    exists: false,
  },
  bulk: { stored: 500, errors: [], refused: [400], parallel: 200 },
  read: {
    total: { value: 700, relation: 'eq' },
    newest: [699, 698, 697],
    levels: { info: 630, error: 70 },
    scrolled: events,
    scanned: errors,
    counted: withNote,
    searches: [200, 404],
  },
  administer: {
    health: 'green',
    alias: ['python-client'],
    copied: 70,
    removed: 1,
    table: [
      { index: 'python-client', 'docs.count': '700' },
      { index: 'python-client-copy', 'docs.count': '70' },
    ],
    text: '700',
  },
}

describe.skipIf(ofDebian.missing)(`Debian's Python client${ofDebian.missing ? ` (${ofDebian.missing})` : ''}`, () => {
  it('writes, reads and administers', async () => {
    const packages = join(await ofDebian.folder(), 'usr/lib/python3/dist-packages')
    const seen = await exercise('/usr/bin/python3', 'exercise.py', packages)
    expect(seen).toEqual({ client: expect.stringMatching(/^\d+\./u), ...exercised })
  })
})

describe.skipIf(ofPyPI.missing)(`elasticsearch of PyPI${ofPyPI.missing ? ` (${ofPyPI.missing})` : ''}`, () => {
  it('writes, reads and administers', async () => {
    expect(await exercise(python, 'exercise.py', await ofPyPI.folder())).toEqual({ client: '9.5.1', ...exercised })
  })

  it('searches asynchronously, at a point in time, and by its query language', async () => {
    const numbers = events.map(({ n }) => n)
    const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((minute) => {
      const of = events.filter(({ n, level }) => Math.floor(n / 60) === minute && level !== 'error')
      return [of.length, of.at(-1)?.n]
    })
    expect(await exercise(python, 'exercise_newest.py', await ofPyPI.folder())).toEqual({
      asyncio: { stored: 700, total: 700, scanned: numbers },
      asynchronous_search: {
        running: [false, false],
        status: expect.arrayContaining(['_shards', 'expiration_time_in_millis', 'id', 'is_partial', 'is_running']),
        levels: { info: 630, error: 70 },
        id_of_unkept: null,
        hits: 1,
      },
      query_language: { numbers: [699, 698], minutes },
      point_in_time: { seen: numbers, freed: 1 },
    })
  })
})
